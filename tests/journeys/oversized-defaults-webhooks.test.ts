import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { type Answer, type ApiServer, until } from './api-server.ts';
import { createHosts, type HostConverter } from './conversion-hosts.ts';
import { type ConversionSetup, parseSpec, startConversions } from './conversion-setup.ts';
import { definitionsPath, establish } from './custom-widget.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

/** Objects that defaults younger than they make too large, where webhooks convert or change them: they see what is stored. */

const merge = { 'Content-Type': 'application/merge-patch+json' };
const apply = { 'Content-Type': 'application/apply-patch+yaml' };
const part = { type: 'string', default: 'y'.repeat(100_000) };
const emptyItems = Array.from({ length: 20 }, () => ({}));
const createPatch = (...operations: JsonObject[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const behaviours = {
  '/label': () => createPatch({ op: 'add', path: '/metadata/annotations', value: { patched: 'yes' } }),
  '/grow': () => createPatch({ op: 'add', path: '/spec/extra', value: emptyItems }),
};

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;
let admission: WebhookServer;

before(async () => {
  [setup, admission] = await Promise.all([startConversions(), startWebhooks(behaviours)]);
  ({ server, converter } = setup);
});
after(async () => {
  await setup[Symbol.asyncDispose]();
  await admission[Symbol.asyncDispose]();
});

async function expect(code: number, answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  assert.equal(got.code, code, got.text.slice(0, 1000));
  return got;
}

const group = (name: string) => `${name}.big.example.com`;
const path = (name: string, version: string, object = '') =>
  `/apis/${group(name)}/${version}/namespaces/default/hosts${object && `/${object}`}`;
const createHost = (name: string, object: string, spec: object) => ({
  apiVersion: `${group(name)}/v1`,
  kind: 'Host',
  metadata: { name: object },
  spec,
});

/** Hosts with a list besides, whose items have a member with a default or without. */
function createDefinition(name: string, member: JsonObject) {
  const extra = { type: 'array', items: { type: 'object', properties: { d: member } } };
  const definition = createHosts(group(name), converter);
  const versions = definition.spec.versions.map(version => {
    const grown = structuredClone(version) as unknown as GrowingVersion;
    grown.schema.openAPIV3Schema.properties.spec.properties['extra'] = extra;
    return grown;
  });
  return { ...definition, spec: { ...definition.spec, versions } };
}

interface GrowingVersion {
  readonly schema: {
    readonly openAPIV3Schema: {
      readonly properties: { readonly spec: { readonly properties: Record<string, object> } };
    };
  };
}

/** Defines hosts, stores some, and then gives their items a default. */
async function store(name: string, objects: readonly string[]): Promise<void> {
  converter.answering = 'well';
  await establish(server, createDefinition(name, { type: 'string' }));
  for (const object of objects) {
    const body = createHost(name, object, { hostPort: 'a.com:81', extra: emptyItems });
    await expect(201, server.call('POST', path(name, 'v1'), { body }));
  }
  const { spec } = createDefinition(name, part);
  const definition = `${definitionsPath}/hosts.${group(name)}`;
  await expect(200, server.call('PATCH', definition, { headers: merge, body: { spec } }));
  await until('the default counts', async () => {
    const body = createHost(name, 'probe', { hostPort: 'a.com:81', extra: [{}] });
    const { text } = await server.call('POST', `${path(name, 'v1')}?dryRun=All`, { body });
    return text.includes('yyyy');
  });
  converter.server.calls.length = 0;
  admission.calls.length = 0;
}

const isIncomplete = /defaults of customresourcedefinition \\?"hosts\./;
const readItems = (object: JsonObject | undefined) =>
  (object?.['spec'] as { extra: object[] } | undefined)?.extra;

describe('a conversion webhook', () => {
  before(() => store('converted', ['a', 'b', 'c', 'd']));

  test('gets the stored object, and a GET of the result is an error', async () => {
    for (const version of ['v1', 'v2']) {
      const { text } = await expect(500, server.call('GET', path('converted', version, 'a')));
      assert.match(text, isIncomplete);
    }
    const [call] = converter.server.calls;
    assert.deepEqual(readItems(objectsAt(call?.request, 'objects')[0]), emptyItems);
  });

  test('makes the object readable in lists with a warning', async () => {
    const { json, headers } = await expect(200, server.call('GET', path('converted', 'v2')));
    assert.match(String(headers['warning']), /4 objects are shown without the defaults/);
    const [first] = json.items as unknown as JsonObject[];
    assert.deepEqual([first?.['apiVersion'], readItems(first)], [`${group('converted')}/v2`, emptyItems]);
  });

  test('is called for writes of metadata and status in each version, and of the specification where it fits', async () => {
    for (const [version, object] of [
      ['v1', 'a'],
      ['v2', 'b'],
    ] as const) {
      const at = path('converted', version, object);
      const labels = { metadata: { labels: { changed: 'yes' } } };
      const labelled = await expect(200, server.call('PATCH', at, { headers: merge, body: labels }));
      assert.match(String(labelled.headers['warning']), /shown without the defaults/);
      assert.deepEqual(readItems(JSON.parse(labelled.text)), emptyItems);
      const ready = { status: { phase: 'Ready' } };
      await expect(200, server.call('PATCH', `${at}/status`, { headers: merge, body: ready }));
      await expect(500, server.call('GET', path('converted', 'v1', object)));
    }
    const body = { spec: { zone: 'there' } };
    const at = path('converted', 'v1', 'a');
    await expect(413, server.call('PATCH', at, { headers: merge, body }));
    const small = { spec: { extra: [{}] } };
    const mended = await expect(200, server.call('PATCH', at, { headers: merge, body: small }));
    assert.deepEqual((parseSpec(mended)['extra'] as object[])[0], { d: part.default });
    await expect(200, server.call('GET', path('converted', 'v2', 'a')));
  });

  test('that fails does not prevent a deletion', async () => {
    converter.answering = () => ({ result: { status: 'Failure', message: 'out of order' } });
    await expect(200, server.call('DELETE', path('converted', 'v2', 'c')));
    await expect(200, server.call('DELETE', path('converted', 'v2')));
    const { json } = await expect(200, server.call('GET', path('converted', 'v1')));
    assert.deepEqual(json.items, []);
  });
});

describe('a mutating webhook', () => {
  before(() => store('mutated', ['a', 'b', 'c']));

  async function register(behaviour: keyof typeof behaviours, operation: string): Promise<void> {
    const name = `${behaviour.slice(1)}.${group('mutated')}`;
    const rules = [
      { operations: [operation], apiGroups: [group('mutated')], apiVersions: ['v1'], resources: ['hosts'] },
    ];
    const clientConfig = { url: admission.url + behaviour, caBundle: admission.caBundle };
    const more = { admissionReviewVersions: ['v1'], sideEffects: 'None', matchPolicy: 'Exact' };
    const where = '/apis/admissionregistration.cluster.io/v1/mutatingwebhookconfigurations';
    const webhooks = [{ name, clientConfig, rules, ...more }];
    await expect(201, server.call('POST', where, { body: { metadata: { name }, webhooks } }));
  }

  test('sees the stored object, and its changes are stored without the defaults', async () => {
    await register('/label', 'UPDATE');
    await until('the webhook is asked', async () => {
      const body = { metadata: { labels: { probe: 'yes' } } };
      const where = `${path('mutated', 'v1', 'c')}?dryRun=All`;
      await expect(200, server.call('PATCH', where, { headers: merge, body }));
      return admission.calls.length > 0;
    });
    const labels = { changed: 'yes' };
    const writes: [object: string, headers: Record<string, string>, query: string][] = [
      ['a', merge, ''],
      ['b', apply, '?fieldManager=m'],
    ];
    for (const [object, headers, query] of writes) {
      admission.calls.length = 0;
      const { spec: _, ...host } = createHost('mutated', object, {});
      const body = { ...host, metadata: { ...host.metadata, labels } };
      const where = path('mutated', 'v1', object) + query;
      const answer = await expect(200, server.call('PATCH', where, { headers, body }));
      const changed = objectAt(JSON.parse(answer.text));
      assert.match(String(answer.headers['warning']), /shown without the defaults/);
      assert.deepEqual(answer.json.metadata.labels, labels);
      assert.deepEqual(answer.json.metadata.annotations, { patched: 'yes' });
      assert.deepEqual(readItems(changed), emptyItems);
      const { object: seen, oldObject } = admission.calls[0]?.request as Record<string, JsonObject>;
      assert.deepEqual([readItems(seen), readItems(oldObject)], [emptyItems, emptyItems]);
      await expect(500, server.call('GET', path('mutated', 'v1', object)));
    }
  });

  test('that makes an object too large for its defaults is refused with the name of the definition', async () => {
    await register('/grow', 'CREATE');
    const body = createHost('mutated', 'new', { hostPort: 'a.com:81' });
    await until('the webhook is asked', async () => {
      const { code } = await server.call('POST', `${path('mutated', 'v1')}?dryRun=All`, { body });
      return code !== 201;
    });
    const { text } = await expect(413, server.call('POST', path('mutated', 'v1'), { body }));
    assert.match(text, isIncomplete);
    await expect(404, server.call('GET', path('mutated', 'v1', 'new')));
  });
});
