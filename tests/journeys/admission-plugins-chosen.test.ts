import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { finalizers } from '@binnacle/api-names';
import { type StandaloneOptions, startStandalone } from '@binnacle/standalone/testing';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { startWebhooks } from './webhook-server.ts';

const enabled = [
  'AlwaysAdmit',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ImagePolicyWebhook',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeLabel',
];
const rbac = '/apis/rbac.authorization.cluster.io/v1';

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

/** The next answers of the backend, by image; without an answer it is not well. */
const verdicts = new Map<string, object>();
let backendCalls: readonly { readonly path: string; readonly review: Record<string, unknown> }[] = [];
let server: ApiServer;

before(async () => {
  const backend = resources.use(
    await startWebhooks({
      '/images': () => (response, review) => {
        const { spec } = review as { spec: { containers: { image: string }[] } };
        const status = verdicts.get(spec.containers[0]?.image ?? '');
        const { kind, apiVersion } = review;
        response
          .writeHead(status ? 200 : 400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ kind, apiVersion, status }));
      },
    }),
  );
  backendCalls = backend.calls;
  const directory = resources.use(await createTemporaryDirectory());
  await mkdir(join(directory.path, 'parts'));
  await writeFile(
    join(directory.path, 'parts', 'images.json'),
    JSON.stringify({ imagePolicy: { kubeConfigFile: 'backend.conf', retryBackoff: 1 } }),
  );
  await writeFile(
    join(directory.path, 'parts', 'backend.conf'),
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'b', user: 'u' } }],
      clusters: [
        {
          name: 'b',
          cluster: { server: `${backend.url}/images`, 'certificate-authority-data': backend.caBundle },
        },
      ],
      users: [{ name: 'u', user: { token: 'secret' } }],
    }),
  );
  const file = join(directory.path, 'admission.yaml');
  await writeFile(file, configurationText);
  server = resources.use(
    await startApiServer({
      enableAdmissionPlugins: enabled,
      admissionControlConfigFile: file,
      allowLoopbackWebhooks: true,
    }),
  );
  await server.namespace('a');
});

const configurationText = `
apiVersion: apiserver.config.cluster.io/v1
kind: AdmissionConfiguration
plugins:
- name: ImagePolicyWebhook
  path: parts/images.json
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.cluster.io/v1alpha1
    kind: Configuration
    limits:
    - {type: Namespace, qps: 1, burst: 3}
`;

async function expect(code: number, method: string, path: string, body?: unknown, more: object = {}) {
  const answer = await server.call(method, path, { body, ...more });
  assert.equal(answer.code, code, `${method} ${path}: ${answer.text}`);
  return JSON.parse(answer.text);
}

const pod = (name: string, image: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image }], automountServiceAccountToken: false },
});

test('a missing namespace is created with its first object, and not in a dry run', async () => {
  const body = { metadata: { name: 'first' } };
  const path = '/api/v1/namespaces/provisioned';
  await expect(201, 'POST', `${path}/configmaps?dryRun=All`, body);
  assert.equal((await server.call('GET', path)).code, 404);
  const created = await expect(201, 'POST', `${path}/configmaps`, body);
  const namespace = await expect(200, 'GET', path);
  assert.equal(namespace.status.phase, 'Active');
  assert.deepEqual(namespace.spec.finalizers, [finalizers.namespace]);
  assert.equal(namespace.metadata.labels['cluster.io/metadata.name'], 'provisioned');
  assert.equal(namespace.metadata.resourceVersion, created.metadata.resourceVersion);
  await expect(200, 'DELETE', `${path}/configmaps/first`);
  assert.equal((await server.call('DELETE', '/api/v1/namespaces/none/configmaps/first')).code, 404);
});

test('many concurrent first objects create one namespace', async () => {
  const path = '/api/v1/namespaces/crowded';
  const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
  const codes = await Promise.all(
    names.map(
      async name => (await server.call('POST', `${path}/configmaps`, { body: { metadata: { name } } })).code,
    ),
  );
  assert.deepEqual(new Set(codes), new Set([201]));
});

test('an invalid namespace name creates no namespace', async () => {
  const body = { metadata: { name: 'c' } };
  await expect(422, 'POST', '/api/v1/namespaces/Not_One/configmaps', body);
});

test('external IPs of services are refused', async () => {
  const path = '/api/v1/namespaces/a/services';
  const service = (externalIPs: string[]) => ({
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }], externalIPs },
  });
  const refused = await expect(403, 'POST', path, service(['1.2.3.4']));
  assert.equal(refused.reason, 'Forbidden');
  await expect(201, 'POST', path, service([]));
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await expect(403, 'PATCH', `${path}/s`, { spec: { externalIPs: ['1.2.3.4'] } }, { headers });
});

test('the rate of events is limited for each namespace', async () => {
  const send = async (namespace: string) => {
    const name = `e-${randomUUID()}`;
    const involvedObject = { kind: 'Pod', namespace, name: 'p' };
    const body = { metadata: { name }, involvedObject, reason: 'R', message: 'm', type: 'Normal' };
    return server.call('POST', `/api/v1/namespaces/${namespace}/events`, { body });
  };
  const answers = await Promise.all(Array.from({ length: 30 }, () => send('a')));
  const refused = answers.filter(({ code }) => code === 429);
  assert.ok(refused.length > 0, 'none of thirty at once is refused');
  assert.equal(refused[0]?.json.reason, 'TooManyRequests');
  assert.ok(answers.filter(({ code }) => code === 201).length >= 3);
  assert.equal((await send('default')).code, 201);
});

test('a backend decides on images, and decisions are cached', async () => {
  const path = '/api/v1/namespaces/a/pods';
  verdicts.set('good', { allowed: true, auditAnnotations: { k: 'v' } });
  verdicts.set('bad', { allowed: false, reason: 'unsigned' });
  const annotations = { 'x.image-policy.cluster.io/ticket': '1', other: 'x' };
  await expect(201, 'POST', path, pod('one', 'good', { annotations }));
  const asked = backendCalls.at(-1);
  assert.deepEqual(asked?.review, {
    kind: 'ImageReview',
    apiVersion: 'imagepolicy.cluster.io/v1alpha1',
    spec: {
      containers: [{ image: 'good' }],
      annotations: { 'x.image-policy.cluster.io/ticket': '1' },
      namespace: 'a',
    },
  });
  const calls = backendCalls.length;
  await expect(201, 'POST', path, pod('two', 'good', { annotations }));
  assert.equal(backendCalls.length, calls);
  const refused = await expect(403, 'POST', path, pod('three', 'bad'));
  assert.match(refused.message, /unsigned/);
  await expect(403, 'POST', path, pod('four', 'unknown'));
});

test('a node agent may change its own node only', async () => {
  const groups = ['system:nodes', 'system:authenticated'];
  await expect(201, 'POST', `${rbac}/clusterroles`, {
    metadata: { name: 'agent' },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['create', 'delete', 'get'] }],
  });
  await expect(201, 'POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'agent' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'agent' },
    subjects: groups.slice(0, 1).map(name => ({ kind: 'Group', name })),
  });
  const headers = { 'Impersonate-User': 'system:node:n1', 'Impersonate-Group': 'system:nodes' };
  const asAgent = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { body, headers: { ...headers, 'Content-Type': 'application/json' } });
  const node = (name: string) => ({ metadata: { name } });
  await until('the agent registers its node', async () =>
    [201, 409].includes((await asAgent('POST', '/api/v1/nodes', node('n1'))).code),
  );
  const other = await asAgent('POST', '/api/v1/nodes', node('n2'));
  assert.equal(other.code, 403, other.text);
  assert.match(other.text, /may not modify other nodes/);
  assert.match((await asAgent('DELETE', '/api/v1/nodes/n1')).text, /may not delete itself/);
});

test('blockOwnerDeletion needs permission to update finalizers of the owner', async () => {
  await expect(201, 'POST', `${rbac}/namespaces/a/roles`, {
    metadata: { name: 'writer' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch', 'update', 'get'] }],
  });
  await expect(201, 'POST', `${rbac}/namespaces/a/rolebindings`, {
    metadata: { name: 'writer' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'writer' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.cluster.io' }],
  });
  const path = '/api/v1/namespaces/a/configmaps';
  const owner = await expect(201, 'POST', path, { metadata: { name: 'owner' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
  const owned = (name: string, more: object) => ({
    metadata: { name, ownerReferences: [{ ...reference, ...more }] },
  });
  const asBob = (method: string, target: string, body: unknown, type = 'application/json') =>
    server.call(method, target, { body, token: 'bobtoken', headers: { 'Content-Type': type } });
  await until('bob may create', async () =>
    [201, 409].includes((await asBob('POST', path, owned('plain', {}))).code),
  );
  const blocked = await asBob('POST', path, owned('blocking', { blockOwnerDeletion: true }));
  assert.equal(blocked.code, 403, blocked.text);
  assert.match(blocked.text, /blockOwnerDeletion/);
  const patch = { metadata: { ownerReferences: null } };
  const changed = await asBob('PATCH', `${path}/plain`, patch, 'application/merge-patch+json');
  assert.equal(changed.code, 403, changed.text);
  const unrelated = { data: { a: 'b' } };
  const kept = await asBob('PATCH', `${path}/plain`, unrelated, 'application/merge-patch+json');
  assert.equal(kept.code, 200, kept.text);
  await expect(201, 'POST', path, owned('blocking', { blockOwnerDeletion: true }));
});

test('a volume of a cloud provider needs its zone', async () => {
  const volume = (labels: object) => ({
    metadata: { name: `pv-${Object.keys(labels).length}`, labels },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      gcePersistentDisk: { pdName: 'd' },
    },
  });
  await expect(403, 'POST', '/api/v1/persistentvolumes', volume({}));
  const place = { 'topology.cluster.io/zone': 'z', 'topology.cluster.io/region': 'r' };
  await expect(201, 'POST', '/api/v1/persistentvolumes', volume(place));
});

const refusedStarts: readonly [string, Partial<StandaloneOptions>, RegExp][] = [
  ['an unknown plugin', { enableAdmissionPlugins: ['NoSuch'] }, /unknown admission plugin "NoSuch"/],
  [
    'a plugin that is on and off',
    { enableAdmissionPlugins: ['AlwaysDeny'], disableAdmissionPlugins: ['AlwaysDeny'] },
    /both enabled and disabled/,
  ],
  ['a plugin without its configuration', { enableAdmissionPlugins: ['EventRateLimit'] }, /needs a config/],
  ['a missing file', { admissionControlConfigFile: '/nowhere/admission.yaml' }, /no such file/],
];

for (const [what, options, message] of refusedStarts)
  test(`the server does not start with ${what}`, async () => {
    await using directory = await createTemporaryDirectory();
    await assert.rejects(startStandalone({ dataDir: directory.path, port: 0, ...options }), message);
  });

test('AlwaysDeny refuses creations, changes and deletions', async () => {
  // The controllers cannot write either; nothing here waits for them.
  await using denying = await startApiServer({ enableAdmissionPlugins: ['AlwaysDeny'] });
  const created = await denying.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'b' } } });
  assert.equal(created.code, 403);
  assert.equal(created.json.reason, 'Forbidden');
  assert.equal((await denying.call('GET', '/api/v1/namespaces/default')).code, 200);
});
