import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const ingressClasses = '/apis/networking.cluster.io/v1/ingressclasses';
const storageClasses = '/apis/storage.cluster.io/v1/storageclasses';
const signingRequests = '/apis/certificates.cluster.io/v1/certificatesigningrequests';
const rbac = '/apis/rbac.authorization.cluster.io/v1';
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

let server: ApiServer;
before(async () => {
  server = await startApiServer();
  await server.namespace('a');
});
after(() => server?.[Symbol.asyncDispose]());

async function expect(code: number, method: string, path: string, body?: unknown, more: object = {}) {
  const answer = await server.call(method, path, { body, ...more });
  assert.equal(answer.code, code, `${method} ${path}: ${answer.text}`);
  return JSON.parse(answer.text);
}

const claim = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const claims = '/api/v1/namespaces/a/persistentvolumeclaims';

test('a new node has the not-ready taint', async () => {
  const taints = [{ key: 'own', effect: 'NoExecute' }];
  const node = await expect(201, 'POST', '/api/v1/nodes', { metadata: { name: 'n1' }, spec: { taints } });
  assert.deepEqual(node.spec.taints, [...taints, { key: 'node.cluster.io/not-ready', effect: 'NoSchedule' }]);
});

test('an ingress gets the default class once there is one', async () => {
  const path = '/apis/networking.cluster.io/v1/namespaces/a/ingresses';
  const ingress = (name: string, metadata: object = {}) => ({
    metadata: { name, ...metadata },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  });
  assert.equal((await expect(201, 'POST', path, ingress('before'))).spec.ingressClassName, undefined);
  await expect(201, 'POST', ingressClasses, {
    metadata: { name: 'standard', annotations: { 'ingressclass.cluster.io/is-default-class': 'true' } },
    spec: { controller: 'example.com/c' },
  });
  assert.equal((await expect(201, 'POST', path, ingress('after'))).spec.ingressClassName, 'standard');
  const annotations = { 'cluster.io/ingress.class': 'other' };
  const annotated = await expect(201, 'POST', path, ingress('annotated', { annotations }));
  assert.equal(annotated.spec.ingressClassName, undefined);
});

test('a claim gets the default class, and can grow only if its class allows it', async () => {
  const createClass = (name: string, more: object) => ({
    metadata: { name },
    provisioner: 'example.com/p',
    ...more,
  });
  await expect(201, 'POST', storageClasses, {
    ...createClass('fixed', {}),
    metadata: { name: 'fixed', annotations: { 'storageclass.cluster.io/is-default-class': 'true' } },
  });
  await expect(201, 'POST', storageClasses, createClass('growing', { allowVolumeExpansion: true }));
  const created = await expect(201, 'POST', claims, claim('fixed'));
  assert.equal(created.spec.storageClassName, 'fixed');
  assert.deepEqual(created.metadata.finalizers, ['cluster.io/pvc-protection']);
  await expect(201, 'POST', claims, claim('growing', { storageClassName: 'growing' }));
  const larger = { spec: { resources: { requests: { storage: '2Gi' } } } };
  const headers = mergePatch;
  for (const name of ['fixed', 'growing']) {
    const bound = await server.call('PATCH', `${claims}/${name}/status`, {
      body: { status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
      headers,
    });
    assert.equal(bound.code, 200, bound.text);
  }
  await expect(200, 'PATCH', `${claims}/growing`, larger, { headers });
  const refused = await expect(403, 'PATCH', `${claims}/fixed`, larger, { headers });
  assert.match(refused.message, /allows expansion/);
});

test('a deleted claim is removed when no pod uses it, and a volume when it is not bound', async () => {
  await expect(201, 'POST', claims, claim('used'));
  const pods = '/api/v1/namespaces/a/pods';
  await expect(201, 'POST', pods, {
    metadata: { name: 'user' },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }],
    },
  });
  await expect(200, 'DELETE', `${claims}/used`);
  await expect(201, 'POST', claims, claim('unused'));
  await expect(200, 'DELETE', `${claims}/unused`);
  await until(
    'the unused claim goes',
    async () => (await server.call('GET', `${claims}/unused`)).code === 404,
  );
  assert.notEqual((await expect(200, 'GET', `${claims}/used`)).metadata.deletionTimestamp, undefined);
  await expect(200, 'DELETE', `${pods}/user?gracePeriodSeconds=0`);
  await until('the used claim goes', async () => (await server.call('GET', `${claims}/used`)).code === 404);
  const volume = await expect(201, 'POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'pv' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      hostPath: { path: '/data' },
    },
  });
  assert.deepEqual(volume.metadata.finalizers, ['cluster.io/pv-protection']);
  await expect(200, 'DELETE', '/api/v1/persistentvolumes/pv');
  const gone = async () => (await server.call('GET', '/api/v1/persistentvolumes/pv')).code === 404;
  await until('the volume goes', gone);
});

/** Requests for a certificate, signed by keys of P-256; the first for O=group, the second for O=system:masters. */
const pems = {
  group: [
    '-----BEGIN CERTIFICATE REQUEST-----',
    'MIHbMIGBAgEAMB8xDjAMBgNVBAoMBWdyb3VwMQ0wCwYDVQQDDAR1c2VyMFkwEwYH',
    'KoZIzj0CAQYIKoZIzj0DAQcDQgAEd6KYE2Dy3+SrO0FYuOenmtoSfnqFpsba9qJ6',
    'EkAz3EkA2n7NlqCkFwKzfDEhUaibQoEqAtIlR6WP5TSr18Ae4aAAMAoGCCqGSM49',
    'BAMCA0kAMEYCIQC4flTkXIibGZpjSN3ZCCW5+6jFGgU+uLvMO6GSpew75QIhAN14',
    'veslMshUpilCmVlN1b+iFM82anWLBR/pPHyLrsEj',
    '-----END CERTIFICATE REQUEST-----',
    '',
  ].join('\n'),
  masters: [
    '-----BEGIN CERTIFICATE REQUEST-----',
    'MIHzMIGaAgEAMDgxDjAMBgNVBAoMBW90aGVyMRcwFQYDVQQKDA5zeXN0ZW06bWFz',
    'dGVyczENMAsGA1UEAwwEdXNlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAVw',
    '+lV7mxf7+ZTl+QOutlp4fI/Fp8FvwnM5PMWCJ2Vx1ZVh4UESp3KYWNWb8byxJlaD',
    'tyNHVi8u+eSe8yQMFpGgADAKBggqhkjOPQQDAgNIADBFAiEA4hqzrriu6RvfrkLy',
    'FW//Udd1oaA3mtNQowLJWPFcCywCICRJgEvre1mWY0JMlyPAOKZ36RVOF6sYxHSN',
    'o3DyVZBe',
    '-----END CERTIFICATE REQUEST-----',
    '',
  ].join('\n'),
};
const signing = (name: string, pem: string, signerName: string) => ({
  metadata: { name },
  spec: { request: Buffer.from(pem).toString('base64'), signerName, usages: ['client auth'] },
});

test('client certificates for the group system:masters are refused', async () => {
  const client = 'cluster.io/kube-apiserver-client';
  const refused = await expect(403, 'POST', signingRequests, signing('masters', pems.masters, client));
  assert.match(refused.message, /system:masters/);
  await expect(201, 'POST', signingRequests, signing('members', pems.group, client));
  await expect(201, 'POST', signingRequests, signing('elsewhere', pems.masters, 'example.com/signer'));
});

test('approving and signing need permissions on the signer', async () => {
  await expect(201, 'POST', signingRequests, signing('guarded', pems.group, 'example.com/guarded'));
  const condition = (type: string) => ({ type, status: 'True', reason: 'R', message: 'm' });
  const request = await expect(200, 'GET', `${signingRequests}/guarded`);
  const approve = { ...request, status: { conditions: [condition('Approved')] } };
  const rule = (verb: string, resource: string, resourceNames?: string[]) => ({
    apiGroups: ['certificates.cluster.io'],
    resources: [resource],
    verbs: [verb],
    ...(resourceNames && { resourceNames }),
  });
  const createRole = (rules: object[]) => ({ metadata: { name: 'approver' }, rules });
  const updates = [
    rule('update', 'certificatesigningrequests/approval'),
    rule('update', 'certificatesigningrequests/status'),
  ];
  await expect(201, 'POST', `${rbac}/clusterroles`, createRole(updates));
  await expect(201, 'POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'approver' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'approver' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.cluster.io' }],
  });
  const asBob = (subresource: string, body: unknown) =>
    server.call('PUT', `${signingRequests}/guarded/${subresource}`, { body, token: 'bobtoken' });
  await until('bob may update approvals, but not for this signer', async () =>
    (await asBob('approval', approve)).text.includes('example.com/guarded'),
  );
  await expect(
    200,
    'PUT',
    `${rbac}/clusterroles/approver`,
    createRole([...updates, rule('approve', 'signers', ['example.com/*'])]),
  );
  await until('bob may approve', async () => (await asBob('approval', approve)).code === 200);
  const approved = await expect(200, 'GET', `${signingRequests}/guarded`);
  const conditions = [...approved.status.conditions, condition('Failed')];
  const failed = await asBob('status', { ...approved, status: { conditions } });
  assert.equal(failed.code, 403, failed.text);
  assert.match(failed.text, /may not sign requests/);
  const untouched = await asBob('status', approved);
  assert.equal(untouched.code, 200, untouched.text);
});
