import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { type ApiServer, until } from './api-server.ts';
import { type Answering, createHosts, type HostConverter } from './conversion-hosts.ts';
import { type ConversionSetup, parseSpec, startConversions } from './conversion-setup.ts';
import { definitionsPath } from './custom-widget.ts';
import { objectAt } from './setup/json-parts.ts';

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;

before(async () => {
  setup = await startConversions();
  ({ server, converter } = setup);
});

after(() => setup[Symbol.asyncDispose]());

const merge = { headers: { 'Content-Type': 'application/merge-patch+json' } };
const failing: Answering = () => ({ result: { status: 'Failure', message: 'nope' } });

function withMetadata(more: JsonObject): Answering {
  return converted => ({
    convertedObjects: converted.map(object => ({
      ...object,
      metadata: { ...objectAt(object, 'metadata'), ...more },
    })),
  });
}

const refused: readonly [what: string, answering: Answering, why: RegExp][] = [
  ['a failure', failing, /nope/],
  ['a failure without a message', () => ({ result: { status: 'Failure' } }), /"Failure"/],
  ['no result', () => ({ result: {} }), /result\.status/],
  ['another uid', () => ({ uid: 'x' }), /uid should be .*, and is "x"/],
  ['too few objects', () => ({ convertedObjects: [] }), /1 objects were sent, and 0 were returned/],
  ['no objects', () => ({ convertedObjects: null }), /1 objects were sent, and 0 were returned/],
  ['something else than objects', () => ({ convertedObjects: ['x'] }), /index 0 is not an object/],
  [
    'another version',
    converted => ({ convertedObjects: converted.map(object => ({ ...object, apiVersion: 'a/v9' })) }),
    /index 0 .* apiVersion should be .*\/v2, and is "a\/v9"/,
  ],
  [
    'another kind',
    converted => ({ convertedObjects: converted.map(object => ({ ...object, kind: 'Guest' })) }),
    /kind should be Host, and is "Guest"/,
  ],
  [
    'no metadata',
    converted => ({ convertedObjects: converted.map(({ metadata: _, ...object }) => object) }),
    /no metadata/,
  ],
  ['another name', withMetadata({ name: 'zz' }), /name should be "a" as before, and is "zz"/],
  ['another namespace', withMetadata({ namespace: 'zz' }), /namespace should be "default" as before/],
  ['another identity', withMetadata({ uid: 'zz' }), /uid should be .* as before, and is "zz"/],
  ['a label that is no text', withMetadata({ labels: { a: 1 } }), /labels\["a"\] is not a string/],
  ['a label that cannot be', withMetadata({ labels: { a: 'b c' } }), /metadata\.labels/],
  ['labels that are no map', withMetadata({ labels: ['a'] }), /labels is not an object/],
];

test('an invalid conversion response fails the read', async () => {
  const { group, path, create } = await setup.hosts('refused');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  for (const [what, answering, why] of refused) {
    converter.answering = answering;
    const { code, json, text } = await server.call('GET', path('v2', 'a'));
    assert.equal(code, 500, what);
    assert.equal(json.reason, undefined, what);
    assert.match(json.message, why, what);
    assert.match(text, new RegExp(`"conversion webhook for ${group}/v1, Kind=Host failed: `));
  }
  converter.answering = 'well';
  assert.equal((await server.call('GET', path('v2', 'a'))).code, 200, 'no failure is kept');
});

test('a webhook may change labels and annotations, but no other metadata', async () => {
  const { path, create } = await setup.hosts('metadata');
  const before = (await create('v1', 'a', { hostPort: 'a.com:81' })).json.metadata;
  const changed = { labels: { q: '1' }, annotations: { r: 's' } };
  converter.answering = withMetadata({
    ...changed,
    generation: 7,
    finalizers: ['x.io/y'],
    creationTimestamp: null,
  });
  const { metadata } = (await server.call('GET', path('v2', 'a'))).json;
  assert.deepEqual(metadata, { ...before, ...changed });
});

test('fields that the version does not have are dropped', async () => {
  const { path, create } = await setup.hosts('pruned');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  converter.answering = converted => ({
    convertedObjects: converted.map(object => ({
      ...object,
      surplus: 1,
      spec: { ...objectAt(object, 'spec'), other: 2 },
    })),
  });
  const { text } = await server.call('GET', path('v2', 'a'));
  assert.deepEqual(JSON.parse(text).spec, { host: 'a.com', port: '81', zone: 'here' });
  assert.doesNotMatch(text, /surplus/);
});

test('a failing webhook fails writes and whole lists, and does not affect the stored version', async () => {
  const { path, host, create } = await setup.hosts('whole');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  converter.answering = failing;
  assert.equal((await server.call('GET', path('v2'))).code, 500);
  const calls: [method: string, path: string, options?: object][] = [
    ['POST', path('v2'), { body: host('v2', 'b', { host: 'b.com' }) }],
    ['PUT', path('v2', 'a'), { body: host('v2', 'a', { host: 'b.com' }) }],
    ['PATCH', path('v2', 'a'), { body: { spec: { host: 'b.com' } }, ...merge }],
    ['GET', `${path('v2', 'a')}/scale`],
  ];
  for (const [method, where, options] of calls) {
    const { code, text } = await server.call(method, where, options);
    assert.equal(code, 500, `${method} ${where}: ${text}`);
    assert.match(text, /nope/);
  }
  const { json } = await server.call('GET', path('v1'));
  assert.deepEqual(
    json.items.map(item => item.metadata.name),
    ['a'],
  );
  assert.deepEqual(parseSpec(await server.call('GET', path('v1', 'a'))), {
    hostPort: 'a.com:81',
    zone: 'here',
  });
});

test('an unreachable webhook fails requests that need it with the reason', async () => {
  const { group, path, create } = await setup.hosts('away');
  await create('v1', 'a', { hostPort: 'a.com:81' });
  const service = { namespace: 'default', name: 'no-such-service', path: '/convert' };
  const webhook = { clientConfig: { service }, conversionReviewVersions: ['v1beta1'] };
  const definition = `${definitionsPath}/hosts.${group}`;
  const moved = await server.call('PATCH', definition, {
    body: {
      spec: {
        conversion: { strategy: 'Webhook', webhook: { ...webhook, clientConfig: { service, url: null } } },
      },
    },
    ...merge,
  });
  assert.equal(moved.code, 200, moved.text);
  await until('the definition is followed', async () => {
    const { code, text } = await server.call('GET', path('v2', 'a'));
    assert.ok(code === 200 || code === 500, text);
    return code === 500 && text.includes('no-such-service');
  });
  assert.equal((await server.call('GET', path('v1', 'a'))).code, 200);
  const gone = await server.call('DELETE', definition);
  assert.equal(gone.code, 200);
  await until(
    'the definition goes without its webhook',
    async () => (await server.call('GET', definition)).code === 404,
  );
});

test('the older version of conversion reviews is used if the webhook supports only that', async () => {
  const group = 'older.conv.example.com';
  const { conversion } = converter;
  const webhook = {
    ...objectAt(conversion, 'webhook'),
    conversionReviewVersions: ['v2alpha1', 'v1beta1'],
  };
  const definition = createHosts(group, { ...converter, conversion: { ...conversion, webhook } });
  converter.answering = () => ({ uid: '' });
  assert.equal((await server.call('POST', definitionsPath, { body: definition })).code, 201);
  const path = (version: string) => `/apis/${group}/${version}/namespaces/default/hosts`;
  await until('hosts are served', async () => (await server.call('GET', path('v1'))).code === 200);
  const spec = { hostPort: 'a.com:81' };
  const body = { apiVersion: `${group}/v1`, kind: 'Host', metadata: { name: 'a' }, spec };
  assert.equal((await server.call('POST', path('v1'), { body })).code, 201);
  const read = await server.call('GET', `${path('v2')}/a`);
  assert.equal(read.code, 200, read.text);
  const call = converter.server.calls.at(-1);
  assert.equal(call?.review['apiVersion'], 'apiextensions.cluster.io/v1beta1');
});

test('definitions with an incomplete webhook are refused', async () => {
  const definition = createHosts('bad.conv.example.com', converter);
  const refusedWith = async (conversion: JsonObject): Promise<string[]> => {
    const body = { ...definition, spec: { ...definition.spec, conversion } };
    const { code, json } = await server.call('POST', `${definitionsPath}?dryRun=All`, { body });
    assert.equal(code, 422);
    return json.details.causes.map(({ field }) => field);
  };
  assert.deepEqual(await refusedWith({ strategy: 'Webhook' }), [
    'spec.conversion.webhookClientConfig',
    'spec.conversion.conversionReviewVersions',
  ]);
  const url = 'http://example.com/';
  assert.deepEqual(
    await refusedWith({
      strategy: 'Webhook',
      webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] },
    }),
    ['spec.conversion.webhookClientConfig.url'],
  );
});
