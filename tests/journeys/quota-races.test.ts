import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatQuantity } from '@binnacle/api-objects';
import { parseQuantity, quantityToScaled } from '@binnacle/api-objects/testing';
import { type ApiServer, type Document, until } from './api-server.ts';
import { makeQuota, pod, readUsage } from './quota-objects.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
});
after(() => server[Symbol.asyncDispose]());

const namespace = 'races';
const at = (resource: string) => `/api/v1/namespaces/${namespace}/${resource}`;
const merge = { 'content-type': 'application/merge-patch+json' };
const limits = { 'requests.cpu': '2', pods: '9', 'count/pods': '12' };
const clients = 10;
const writesEach = 25;

/** The same sequence for the same seed, so that a run can be had again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

async function write(random: (below: number) => number): Promise<number> {
  const name = `p${random(16)}`;
  const path = `${at('pods')}/${name}`;
  const resources = { requests: { cpu: `${100 + random(9) * 50}m` } };
  const { metadata, spec } = pod(name, { resources });
  const held = { metadata: { ...metadata, finalizers: ['example.com/hold'] }, spec };
  switch (random(8)) {
    case 0:
    case 1:
    case 2:
      return (await server.call('POST', at('pods'), { body: { metadata, spec } })).code;
    case 3:
      return (await server.call('POST', at('pods'), { body: held })).code;
    case 4:
      return (await server.call('POST', `${at('pods')}?dryRun=All`, { body: { metadata, spec } })).code;
    case 5:
      return (await server.call('DELETE', `${path}?gracePeriodSeconds=0`)).code;
    case 6: {
      const body = { metadata: { finalizers: null } };
      return (await server.call('PATCH', path, { body, headers: merge })).code;
    }
    default: {
      const body = { status: { phase: random(2) === 0 ? 'Failed' : 'Running' } };
      return (await server.call('PATCH', `${path}/status`, { body, headers: merge })).code;
    }
  }
}

interface Pod extends Document {
  readonly spec: { readonly containers: { readonly resources: { readonly requests: { cpu: string } } }[] };
  readonly status: Document['status'] & { readonly phase: string };
}

function computeUsage(pods: readonly Pod[]): Record<string, string> {
  const running = pods.filter(({ status }) => status.phase !== 'Failed');
  const milli = running
    .flatMap(({ spec }) => spec.containers)
    .reduce((sum, each) => sum + quantityToScaled(parseQuantity(each.resources.requests.cpu), -3), 0n);
  const cpu = formatQuantity(parseQuantity(`${milli}m`));
  return { 'requests.cpu': cpu, pods: String(running.length), 'count/pods': String(pods.length) };
}

test('a quota is never exceeded and always exact with concurrent clients', async () => {
  await server.namespace(namespace);
  await makeQuota(server, namespace, { hard: limits });
  using watch = await server.watch(`${at('resourcequotas')}?watch=1`);
  const racing = Array.from({ length: clients }, async (_, client) => {
    const random = randomFrom(client + 1);
    const codes: number[] = [];
    for (let i = 0; i < writesEach; i++) codes.push(await write(random));
    return codes;
  });
  const codes = (await Promise.all(racing)).flat();
  assert.deepEqual(
    codes.filter(code => ![200, 201, 403, 404, 409].includes(code)),
    [],
  );
  assert.ok(codes.includes(201) && codes.includes(403), codes.join());
  const pods = (await server.call('GET', at('pods'))).json.items as readonly Pod[]; // Pods are what is listed.
  const used = await readUsage(server, namespace);
  assert.deepEqual(used, computeUsage(pods));
  const now = (await server.call('GET', `${at('resourcequotas')}/q`)).json.metadata.resourceVersion;
  await until('the watch has come so far', () =>
    watch.events.some(({ object }) => object.metadata.resourceVersion === now),
  );
  for (const { object } of watch.events) {
    const seen = (object as unknown as { status: { used: Record<string, string> } }).status.used; // A quota.
    for (const [name, limit] of Object.entries(limits)) {
      const amount = parseQuantity(seen[name] ?? '').nanos;
      assert.ok(amount >= 0n, `${name}: ${seen[name]}`);
      // Usage that runs again after it had failed is recorded, not refused.
      if (name === 'count/pods') assert.ok(amount <= parseQuantity(limit).nanos, `${name}: ${seen[name]}`);
    }
  }
});

test('an object and the change of its quota have the same revision', async () => {
  await server.namespace('together');
  await makeQuota(server, 'together', { hard: { 'count/configmaps': '9' } });
  const configMaps = '/api/v1/namespaces/together/configmaps';
  const { code, json } = await server.call('POST', configMaps, { body: { metadata: { name: 'a' } } });
  assert.equal(code, 201);
  const quota = async () =>
    (await server.call('GET', '/api/v1/namespaces/together/resourcequotas/q')).json.metadata.resourceVersion;
  assert.equal(await quota(), json.metadata.resourceVersion);
  using watch = await server.watch(`${configMaps}?watch=1&resourceVersion=${json.metadata.resourceVersion}`);
  assert.equal((await server.call('DELETE', `${configMaps}/a`)).code, 200);
  await until('the deletion is seen', () => watch.events.length > 0);
  assert.equal(await quota(), watch.events[0]?.object.metadata.resourceVersion);
  assert.deepEqual(await readUsage(server, 'together'), { 'count/configmaps': '0' });
});

test('limits apply while clients write continuously, and are exact from then on', async () => {
  await server.namespace('busy');
  const configMaps = '/api/v1/namespaces/busy/configmaps';
  let writing = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 0; writing; i++) {
      const name = `c${writer}-${i % 3}`;
      const created = await server.call('POST', configMaps, { body: { metadata: { name } } });
      assert.ok([201, 403, 409].includes(created.code), created.text);
      if (i % 5 === 4) assert.equal((await server.call('DELETE', `${configMaps}/c${writer}-0`)).code, 200);
    }
  });
  try {
    await makeQuota(server, 'busy', { hard: { 'count/configmaps': '50', 'count/secrets': '5' } });
  } finally {
    writing = false;
  }
  await Promise.all(writers);
  const { length } = (await server.call('GET', configMaps)).json.items;
  assert.deepEqual(await readUsage(server, 'busy'), {
    'count/configmaps': String(length),
    'count/secrets': '0',
  });
});
