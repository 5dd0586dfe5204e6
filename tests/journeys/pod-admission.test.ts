import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings } from './admin-server.ts';
import { objectsAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const create = (namespace: string, body: JsonObject) =>
  server.expect(201, 'POST', `${namespace}/pods`, { body });
const refuse = (namespace: string, body: JsonObject) =>
  server.expect(403, 'POST', `${namespace}/pods`, { body });
const lost = (state: string, tolerationSeconds = 300) => ({
  key: `node.cluster.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});

test('the first pod of a new namespace gets the default account and token', async () => {
  const created = await create(await server.namespace(), pod('p'));
  const volumes = objectsAt(created, 'spec', 'volumes');
  const [volume = {}] = volumes;
  assert.equal(volumes.length, 1);
  assert.match(String(volume['name']), /^kube-api-access-/);
  assert.deepEqual(at(created, 'spec', 'containers', 0, 'volumeMounts'), [
    { name: volume['name'], readOnly: true, mountPath: '/var/run/secrets/cluster.io/serviceaccount' },
  ]);
  const facts = ['serviceAccountName', 'serviceAccount', 'priority', 'preemptionPolicy', 'tolerations'].map(
    field => at(created, 'spec', field),
  );
  assert.deepEqual(facts, [
    'default',
    'default',
    0,
    'PreemptLowerPriority',
    [lost('not-ready'), lost('unreachable')],
  ]);
});

test('a pod with a missing account is refused with its name', async () => {
  const namespace = await server.namespace();
  const refusal = await refuse(namespace, pod('p', { serviceAccountName: 'nope' }));
  assert.deepEqual([findings(refusal), refusal['details']], [['Forbidden'], { name: 'p', kind: 'pods' }]);
});

test('a limit range applies to the next pod, and its defaults set the QoS class', async () => {
  const namespace = await server.namespace();
  const limits = [
    { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '500m' }, max: { cpu: '2' } },
    { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
  ];
  await server.expect(201, 'POST', `${namespace}/limitranges`, {
    body: { metadata: { name: 'l' }, spec: { limits } },
  });
  const created = await create(namespace, pod('p'));
  assert.deepEqual(at(created, 'spec', 'containers', 0, 'resources'), {
    limits: { cpu: '1' },
    requests: { cpu: '500m' },
  });
  assert.equal(at(created, 'status', 'qosClass'), 'Burstable');
  assert.equal(
    at(created, 'metadata', 'annotations', 'cluster.io/limit-ranger'),
    'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
  );
  const greedy = { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '3' } } }] };
  assert.match(String((await refuse(namespace, pod('q', greedy)))['message']), /cpu .* 2, .* 3/);
  const claim = {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
  };
  await server.expect(403, 'POST', `${namespace}/persistentvolumeclaims`, { body: claim });
});

test('a priority class applies as soon as it exists', async () => {
  const namespace = await server.namespace();
  const classes = '/apis/scheduling.cluster.io/v1/priorityclasses';
  await refuse(namespace, pod('p', { priorityClassName: 'admitted-first' }));
  const urgent = { metadata: { name: 'admitted-first' }, value: 1000, preemptionPolicy: 'Never' };
  await server.expect(201, 'POST', classes, { body: urgent });
  const created = await create(namespace, pod('p', { priorityClassName: 'admitted-first' }));
  assert.deepEqual(
    [at(created, 'spec', 'priority'), at(created, 'spec', 'preemptionPolicy')],
    [1000, 'Never'],
  );
  await refuse(namespace, pod('q', { priority: 7 }));
  const normal = { metadata: { name: 'admitted-later' }, value: 10, globalDefault: true };
  await server.expect(201, 'POST', classes, { body: normal });
  const usual = await create(namespace, pod('q'));
  assert.deepEqual(
    [at(usual, 'spec', 'priorityClassName'), at(usual, 'spec', 'priority')],
    ['admitted-later', 10],
  );
  await server.expect(403, 'POST', classes, {
    body: { metadata: { name: 'second' }, value: 1, globalDefault: true },
  });
  await server.expect(200, 'DELETE', `${classes}/admitted-later`);
});

test('a runtime class sets the overhead, and pods cannot set another one', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', '/apis/node.cluster.io/v1/runtimeclasses', {
    body: {
      metadata: { name: 'admitted-sandbox' },
      handler: 'h',
      overhead: { podFixed: { cpu: '250m' } },
      scheduling: { nodeSelector: { sandbox: 'yes' } },
    },
  });
  const created = await create(namespace, pod('p', { runtimeClassName: 'admitted-sandbox' }));
  assert.deepEqual(
    [at(created, 'spec', 'overhead'), at(created, 'spec', 'nodeSelector')],
    [{ cpu: '250m' }, { sandbox: 'yes' }],
  );
  await refuse(namespace, pod('q', { overhead: { cpu: '1' } }));
  await refuse(namespace, pod('q', { runtimeClassName: 'nope' }));
});

test('the pod security level of a namespace applies from the write that sets it', async () => {
  const namespace = await server.namespace();
  await create(namespace, pod('p', { hostNetwork: true }));
  const labels = {
    'pod-security.cluster.io/enforce': 'baseline',
    'pod-security.cluster.io/warn': 'restricted',
  };
  const patched = await server.send('PATCH', namespace, {
    body: { metadata: { labels } },
    contentType: 'application/merge-patch+json',
  });
  assert.equal(patched.code, 200);
  assert.match(patched.warnings.join('\n'), /existing pods .* "baseline:latest"\np: host namespaces/);
  const refusal = await refuse(namespace, pod('q', { hostNetwork: true }));
  assert.match(String(refusal['message']), /violates PodSecurity "baseline:latest": host namespaces/);
  const { code, warnings } = await server.send('POST', `${namespace}/pods`, { body: pod('q') });
  assert.equal(code, 201);
  assert.match(warnings.join('\n'), /^would violate PodSecurity "restricted:latest": /);
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: pod('t', { hostNetwork: true })['spec'] as JsonValue,
  };
  const deployment = await server.send(
    'POST',
    `${namespace.replace('/api/v1', '/apis/apps/v1')}/deployments`,
    {
      body: { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
    },
  );
  assert.equal(deployment.code, 201);
  assert.match(deployment.warnings.join('\n'), /host namespaces/);
  const wrong = { metadata: { name: 'wrong', labels: { 'pod-security.cluster.io/enforce': 'x' } } };
  const status = await server.expect(422, 'POST', '/api/v1/namespaces', { body: wrong });
  assert.deepEqual(findings(status), [
    'Invalid',
    'FieldValueInvalid metadata.labels[pod-security.cluster.io/enforce]',
  ]);
});
