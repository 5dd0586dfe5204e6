import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings } from './admin-server.ts';
import { objectAt, objectsAt, valuesAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const template = (labels: JsonObject) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});
const pod = (name: string, labels: JsonObject = {}): JsonObject => ({
  metadata: { name, labels },
  spec: template({}).spec,
});
const deploymentsIn = (namespace: string) =>
  namespace.replace('/api/v1', '/apis/apps/v1').concat('/deployments');
const budgetsIn = (namespace: string) =>
  namespace.replace('/api/v1', '/apis/policy/v1').concat('/poddisruptionbudgets');

async function deployment(name: string): Promise<string> {
  const deployments = deploymentsIn(await server.namespace());
  const labels = { app: name };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: template(labels) };
  await server.expect(201, 'POST', deployments, { body: { metadata: { name }, spec } });
  return `${deployments}/${name}`;
}

test('a Scale can be read and written, with the resourceVersion of the object', async () => {
  const path = await deployment('web');
  const scale = await server.expect(200, 'GET', `${path}/scale`);
  assert.deepEqual(
    [scale['kind'], scale['apiVersion'], scale['spec']],
    ['Scale', 'autoscaling/v1', { replicas: 2 }],
  );
  assert.deepEqual(scale['status'], { replicas: 0, selector: 'app=web' });
  const scaled = await server.expect(200, 'PUT', `${path}/scale`, {
    body: { ...scale, spec: { replicas: 5 } },
  });
  const object = await server.expect(200, 'GET', path);
  assert.deepEqual([at(object, 'spec', 'replicas'), at(object, 'metadata', 'generation')], [5, 2]);
  assert.equal(at(scaled, 'metadata', 'resourceVersion'), at(object, 'metadata', 'resourceVersion'));
  await server.expect(409, 'PUT', `${path}/scale`, { body: { ...scale, spec: { replicas: 7 } } });
  for (const contentType of [mergePatch, strategicPatch])
    await server.expect(200, 'PATCH', `${path}/scale`, { body: { spec: { replicas: 3 } }, contentType });
  const none = await server.expect(200, 'PATCH', `${path}/scale`, {
    body: [{ op: 'replace', path: '/spec/replicas', value: 0 }],
    contentType: 'application/json-patch+json',
  });
  assert.deepEqual(none['spec'], {});
  assert.equal(at(await server.expect(200, 'GET', path), 'spec', 'replicas'), 0);
});

test('an invalid Scale is refused, and a dry run changes nothing', async () => {
  const path = await deployment('web');
  const body = { metadata: { name: 'web' }, spec: { replicas: -1 } };
  const refused = await server.expect(422, 'PUT', `${path}/scale`, { body });
  assert.deepEqual(findings(refused), ['Invalid', 'FieldValueInvalid spec.replicas']);
  await server.expect(400, 'PUT', `${path}/scale`, { body: { metadata: { name: 'other' }, spec: {} } });
  await server.expect(400, 'PUT', `${path}/scale`, { body: { ...body, spec: { replicas: 'two' } } });
  await server.expect(404, 'GET', `${deploymentsIn(await server.namespace())}/web/scale`);
  const dry = await server.expect(200, 'PUT', `${path}/scale?dryRun=All`, {
    body: { ...body, spec: { replicas: 9 } },
  });
  assert.equal(at(dry, 'spec', 'replicas'), 9);
  assert.equal(at(await server.expect(200, 'GET', path), 'spec', 'replicas'), 2);
});

test('concurrent writes of a Scale without a resourceVersion all succeed', async () => {
  const path = await deployment('web');
  const wanted = Array.from({ length: 8 }, (_, index) => index + 1);
  await Promise.all(
    wanted.map(replicas =>
      server.expect(200, 'PATCH', `${path}/scale`, { body: { spec: { replicas } }, contentType: mergePatch }),
    ),
  );
  const object = await server.expect(200, 'GET', path);
  assert(wanted.includes(Number(at(object, 'spec', 'replicas'))));
});

interface Disrupted {
  readonly pods: string;
  readonly budget: string;
}

/** Running pods `p0` and so on under a budget that allows so many disruptions. */
async function disrupted(count: number, allowed: number): Promise<Disrupted> {
  const namespace = await server.namespace();
  const pods = `${namespace}/pods`;
  const budgets = budgetsIn(namespace);
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  for (let i = 0; i < count; i++) {
    await server.expect(201, 'POST', pods, { body: pod(`p${i}`, { app: 'x' }) });
    await server.expect(200, 'PATCH', `${pods}/p${i}/status`, { body: { status }, contentType: mergePatch });
  }
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'x' } } };
  const budget = await server.expect(201, 'POST', budgets, { body: { metadata: { name: 'b' }, spec } });
  const figures = {
    observedGeneration: at(budget, 'metadata', 'generation') ?? 0,
    disruptionsAllowed: allowed,
    currentHealthy: count,
    desiredHealthy: count - allowed,
    expectedPods: count,
  };
  await server.expect(200, 'PATCH', `${budgets}/b/status`, {
    body: { status: figures },
    contentType: mergePatch,
  });
  return { pods, budget: `${budgets}/b` };
}

const eviction = (name: string): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
});

test('at most as many pods are evicted as the budget allows', async () => {
  const { pods, budget } = await disrupted(5, 2);
  const answers = await Promise.all(
    [0, 1, 2, 3, 4].map(i => server.send('POST', `${pods}/p${i}/eviction`, { body: eviction(`p${i}`) })),
  );
  const codes = answers.map(answer => answer.code).sort();
  assert.deepEqual(codes, [201, 201, 429, 429, 429]);
  const refused = answers.find(answer => answer.code === 429)?.body ?? {};
  assert.deepEqual(findings(refused), ['TooManyRequests', 'DisruptionBudget undefined']);
  assert.match(
    String(at(refused, 'details', 'causes', 0, 'message')),
    /budget b needs 3 healthy pods and has 5/,
  );
  const left = valuesAt(await server.expect(200, 'GET', pods), 'items');
  assert.equal(left.length, 3);
  const status = objectAt(await server.expect(200, 'GET', budget), 'status');
  assert.equal(status['disruptionsAllowed'], 0);
  assert.equal(Object.keys(objectAt(status, 'disruptedPods')).length, 2);
  assert.equal(at(status, 'conditions', 0, 'reason'), 'InsufficientPods');
});

test('a pod evicted with a grace period has a condition with the reason', async () => {
  const pods = `${await server.namespace()}/pods`;
  const { spec, ...rest } = pod('slow');
  await server.expect(201, 'POST', pods, {
    body: { ...rest, spec: { ...objectAt(spec), nodeName: 'n' } },
  });
  await server.expect(201, 'POST', `${pods}/slow/eviction`, { body: eviction('slow') });
  const evicted = await server.expect(200, 'GET', `${pods}/slow`);
  assert.ok(at(evicted, 'metadata', 'deletionTimestamp'));
  const conditions = objectsAt(evicted, 'status', 'conditions');
  const [found] = conditions.filter(({ type }) => type === 'DisruptionTarget');
  assert.deepEqual([found?.['status'], found?.['reason']], ['True', 'EvictionByEvictionAPI']);
});

test('a dry run of an eviction returns its result and changes nothing', async () => {
  const { pods, budget } = await disrupted(2, 1);
  const before = await server.expect(200, 'GET', budget);
  const status = await server.expect(201, 'POST', `${pods}/p0/eviction?dryRun=All`, { body: eviction('p0') });
  assert.equal(status['status'], 'Success');
  const body = { ...eviction('p0'), deleteOptions: { dryRun: ['All'] } };
  await server.expect(201, 'POST', `${pods}/p0/eviction`, { body });
  await server.expect(200, 'GET', `${pods}/p0`);
  assert.deepEqual(await server.expect(200, 'GET', budget), before);
});

test('pods without a budget, and pending pods, are evicted at once', async () => {
  const { pods } = await disrupted(1, 0);
  await server.expect(201, 'POST', pods, { body: pod('free') });
  await server.expect(201, 'POST', pods, { body: pod('pending', { app: 'x' }) });
  for (const name of ['free', 'pending']) {
    await server.expect(201, 'POST', `${pods}/${name}/eviction`, { body: eviction(name) });
    await server.expect(404, 'GET', `${pods}/${name}`);
  }
  await server.expect(429, 'POST', `${pods}/p0/eviction`, { body: eviction('p0') });
  const earlier = { ...eviction('p0'), apiVersion: 'policy/v1beta1' };
  await server.expect(429, 'POST', `${pods}/p0/eviction`, { body: earlier });
  await server.expect(400, 'POST', `${pods}/p0/eviction`, { body: { ...earlier, apiVersion: 'policy/v2' } });
});

test('a refused eviction has a reason', async () => {
  const { pods, budget } = await disrupted(1, 1);
  const path = `${pods}/p0/eviction`;
  for (const body of [eviction('other'), { ...eviction(''), metadata: {} }, { deleteOptions: {} }, {}])
    await server.expect(400, 'POST', path, { body });
  await server.expect(404, 'POST', `${pods}/nobody/eviction`, { body: eviction('nobody') });
  const preconditions = { uid: 'other' };
  await server.expect(409, 'POST', path, { body: { ...eviction('p0'), deleteOptions: { preconditions } } });
  await server.expect(405, 'GET', path);
  await server.expect(200, 'PATCH', budget, { body: { spec: { minAvailable: 0 } }, contentType: mergePatch });
  const unseen = await server.expect(429, 'POST', path, { body: eviction('p0') });
  assert.match(String(at(unseen, 'details', 'causes', 0, 'message')), /still being processed/);
  assert.equal(at(unseen, 'details', 'retryAfterSeconds'), 10);
  const spec = { minAvailable: 1, selector: {} };
  const second = { metadata: { name: 'second' }, spec };
  await server.expect(201, 'POST', budget.slice(0, budget.lastIndexOf('/')), { body: second });
  await server.expect(500, 'POST', path, { body: eviction('p0') });
});

test('a pod can be bound once only', async () => {
  const namespace = await server.namespace();
  const binding = (name: string, node: string): JsonObject => ({
    metadata: { name, annotations: { by: 'test' } },
    target: { kind: 'Node', name: node },
  });
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('a') });
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('b') });
  await server.expect(201, 'POST', `${namespace}/pods/a/binding`, { body: binding('a', 'n1') });
  await server.expect(201, 'POST', `${namespace}/bindings`, { body: binding('b', 'n2') });
  for (const [name, node] of [
    ['a', 'n1'],
    ['b', 'n2'],
  ] as const) {
    const bound = await server.expect(200, 'GET', `${namespace}/pods/${name}`);
    assert.deepEqual(
      [at(bound, 'spec', 'nodeName'), at(bound, 'metadata', 'annotations', 'by')],
      [node, 'test'],
    );
    const conditions = valuesAt(bound, 'status', 'conditions');
    const scheduled = conditions.find(condition => at(condition, 'type') === 'PodScheduled');
    assert.equal(at(scheduled, 'status'), 'True');
    await server.expect(409, 'POST', `${namespace}/pods/${name}/binding`, { body: binding(name, 'n3') });
  }
  const refused = await server.expect(422, 'POST', `${namespace}/pods/a/binding`, {
    body: { metadata: { name: 'a' }, target: { kind: 'Pod' } },
  });
  assert.deepEqual(findings(refused), [
    'Invalid',
    'FieldValueNotSupported target.kind',
    'FieldValueRequired target.name',
  ]);
  for (const name of ['', 'other'])
    await server.expect(400, 'POST', `${namespace}/pods/a/binding`, { body: binding(name, 'n3') });
  await server.expect(404, 'POST', `${namespace}/pods/nobody/binding`, { body: binding('nobody', 'n1') });
});

test('of concurrent bindings one succeeds', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('a') });
  const nodes = ['n1', 'n2', 'n3', 'n4'];
  const binding = (node: string) => ({ metadata: { name: 'a' }, target: { name: node } });
  const answers = await Promise.all(
    nodes.map(name => server.send('POST', `${namespace}/pods/a/binding`, { body: binding(name) })),
  );
  assert.deepEqual(answers.map(answer => answer.code).sort(), [201, 409, 409, 409]);
  const winner = nodes[answers.findIndex(answer => answer.code === 201)];
  assert.equal(at(await server.expect(200, 'GET', `${namespace}/pods/a`), 'spec', 'nodeName'), winner);
});

test('ephemeral containers can be added and are kept', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('a') });
  const path = `${namespace}/pods/a/ephemeralcontainers`;
  const container = (name: string): JsonObject => ({ name, image: 'i', targetContainerName: 'c' });
  const patch = (containers: JsonValue, contentType = strategicPatch) => ({
    body: {
      metadata: { labels: { ignored: 'yes' } },
      spec: { ephemeralContainers: containers, hostname: 'h' },
    },
    contentType,
  });
  await server.expect(200, 'PATCH', path, patch([container('one')]));
  const both = await server.expect(200, 'PATCH', path, patch([container('two')]));
  const names = valuesAt(both, 'spec', 'ephemeralContainers').map(each => at(each, 'name'));
  assert.deepEqual(names.sort(), ['one', 'two']);
  assert.deepEqual([at(both, 'spec', 'hostname'), at(both, 'metadata', 'labels')], [undefined, undefined]);
  assert.deepEqual(await server.expect(200, 'GET', path), both);
  for (const containers of [null, [{ ...container('one'), image: 'other' }]])
    await server.expect(422, 'PATCH', path, patch(containers, mergePatch));
  const refused = await server.expect(
    422,
    'PATCH',
    path,
    patch([{ ...container('c'), targetContainerName: 'nobody', ports: [{ containerPort: 1 }] }]),
  );
  assert.deepEqual(at(refused, 'reason'), 'Invalid');
  await server.expect(422, 'PATCH', `${namespace}/pods/a`, patch([container('three')]));
});

test('subresources that the kubelet would serve are refused by name', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('a') });
  for (const [method, subresource] of [
    ['GET', 'log'],
    ['POST', 'exec?command=ls'],
    ['GET', 'exec?command=ls'],
    ['POST', 'attach'],
    ['POST', 'portforward'],
  ] as const) {
    const status = await server.expect(503, method, `${namespace}/pods/a/${subresource}`);
    assert.equal(status['reason'], 'ServiceUnavailable');
    assert.match(String(status['message']), /no node agent proxy configured/);
  }
  await server.expect(404, 'GET', `${namespace}/pods/nobody/log`);
});

test('status is written separately, for nodes and pods too', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('a') });
  await server.expect(201, 'POST', '/api/v1/nodes', { body: { metadata: { name: 'n' } } });
  for (const path of [`${namespace}/pods/a`, '/api/v1/nodes/n']) {
    const before = await server.expect(200, 'GET', path);
    const conditions = [{ type: 'Ready', status: 'True' }];
    const body = {
      metadata: { labels: { kept: 'yes' } },
      spec: { unschedulable: true },
      status: { conditions },
    };
    const written = await server.expect(200, 'PATCH', `${path}/status`, { body, contentType: mergePatch });
    assert.deepEqual(written['spec'], before['spec'], path);
    assert.equal(at(written, 'status', 'conditions', 0, 'type'), 'Ready');
    assert.equal(at(written, 'metadata', 'labels', 'kept'), 'yes');
    assert.deepEqual(await server.expect(200, 'GET', `${path}/status`), written);
    const main = { status: { conditions: null } };
    await server.expect(200, 'PATCH', path, { body: main, contentType: mergePatch });
    const kept = at(await server.expect(200, 'GET', path), 'status', 'conditions', 0, 'type');
    assert.equal(kept, 'Ready');
  }
});
