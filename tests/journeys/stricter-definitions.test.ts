import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type ApiServer, until } from './api-server.ts';
import { createDefinition, definitionsPath, establish } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

/** Objects that were right when they were stored, and break a rule that their definition got since. */

/** A rule that comes later: what the schema of a place says before and after, and a value that only the first permits. */
interface StricterRule {
  readonly what: string;
  readonly before: object;
  readonly value: unknown;
  readonly after: object;
  /** A change of another part of the specification is permitted, as in kube-apiserver; default: it is refused. */
  readonly mayChange?: boolean;
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const item = { type: 'object', required: ['k'], properties: { k: text, v: text } };
const items = { type: 'array', items: item };
const repeated = [
  { k: 'a', v: '1' },
  { k: 'a', v: '2' },
];
const keyed = { 'x-cluster-list-type': 'map', 'x-cluster-list-map-keys': ['k'] };
const free = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const rule = (rule: string) => ({ 'x-cluster-validations': [{ rule }] });

const rules: readonly StricterRule[] = [
  {
    what: 'a list became a set',
    before: texts,
    value: ['a', 'a'],
    after: { ...texts, 'x-cluster-list-type': 'set' },
    mayChange: true,
  },
  {
    what: 'a list became a map',
    before: items,
    value: repeated,
    after: { ...items, ...keyed },
    mayChange: true,
  },
  { what: 'another type', before: text, value: 'a', after: { type: 'integer' } },
  { what: 'a text became an object', before: text, value: 'a', after: { type: 'object' } },
  {
    what: 'no longer nullable',
    before: { ...texts, nullable: true },
    value: [],
    after: { ...texts, minItems: 1 },
  },
  { what: 'a required field', before: free, value: { a: 1 }, after: { ...free, required: ['b'] } },
  { what: 'an enumeration shrank', before: text, value: 'b', after: { ...text, enum: ['a'] } },
  { what: 'a pattern', before: text, value: 'b', after: { ...text, pattern: '^a' } },
  { what: 'a longest text', before: text, value: 'bbbb', after: { ...text, maxLength: 3 } },
  { what: 'a shortest text', before: text, value: 'b', after: { ...text, minLength: 3 } },
  { what: 'a format', before: text, value: 'b', after: { ...text, format: 'date-time' } },
  { what: 'a largest number', before: { type: 'number' }, value: 5, after: { type: 'number', maximum: 4 } },
  { what: 'a divisor', before: { type: 'number' }, value: 5, after: { type: 'number', multipleOf: 2 } },
  { what: 'most items', before: texts, value: ['a', 'b'], after: { ...texts, maxItems: 1 } },
  { what: 'most members', before: free, value: { a: 1, b: 2 }, after: { ...free, maxProperties: 1 } },
  { what: 'an alternative', before: text, value: 'b', after: { ...text, anyOf: [{ pattern: 'a' }] } },
  { what: 'an exclusion', before: text, value: 'b', after: { ...text, not: { pattern: 'b' } } },
  { what: 'a rule', before: text, value: 'b', after: { ...text, maxLength: 9, ...rule("self == 'a'") } },
  {
    what: 'a rule about the value before',
    before: { type: 'integer' },
    value: 5,
    after: { type: 'integer', ...rule('self > oldSelf') },
  },
  {
    what: 'an embedded object',
    before: free,
    value: { kind: 'not a kind', metadata: { name: 'x', labels: { '-': '-' } } },
    after: { ...free, 'x-cluster-embedded-type': true },
  },
  {
    what: 'an embedded object whose metadata has other types',
    before: free,
    value: {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 5, labels: ['a'], annotations: { a: 'b', c: 1 } },
    },
    after: { ...free, 'x-cluster-embedded-type': true },
    mayChange: true,
  },
  {
    what: 'an embedded object with a text for metadata',
    before: free,
    value: { kind: 'Pod', apiVersion: 'v1', metadata: 'none' },
    after: { ...free, 'x-cluster-embedded-type': true },
    mayChange: true,
  },
  {
    what: 'members where none are permitted',
    before: { type: 'object', additionalProperties: text },
    value: { a: 'b' },
    after: { type: 'object', additionalProperties: false },
  },
  {
    what: 'members of another type',
    before: { type: 'object', additionalProperties: text },
    value: { a: 'b' },
    after: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  {
    what: 'a list that became a map by another key',
    before: items,
    value: [{ k: 'a' }, { k: 'b' }],
    after: { ...items, ...keyed, 'x-cluster-list-map-keys': ['v'], items: { ...item, required: ['k', 'v'] } },
  },
];

const group = 'strict.example.com';
const path = `/apis/${group}/v1/namespaces/stricter-definitions/records`;
const merge = { 'Content-Type': 'application/merge-patch+json' };
const apply = { 'Content-Type': 'application/apply-patch+yaml' };
const nameFromIndex = (index: number) => `p${index}`;

function createSchema(side: 'before' | 'after') {
  const properties = Object.fromEntries(rules.map((one, index) => [nameFromIndex(index), one[side]]));
  const part = { type: 'object', properties: { ...properties, free: text } };
  return { type: 'object', properties: { spec: part, status: part } };
}

const withStatus = { subresources: { status: {} } };
const definition = (side: 'before' | 'after', plural: string, kind: string, version: object) =>
  createDefinition(plural, kind, createSchema(side), { group, version });
const plain = (side: 'before' | 'after') => definition(side, 'plains', 'Plain', {});
const records = (side: 'before' | 'after') => definition(side, 'records', 'Record', withStatus);

let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await server.namespace('stricter-definitions');
  await establish(server, records('before'));
  await establish(server, plain('before'));
  for (const [index, { value }] of rules.entries()) {
    const part = { [nameFromIndex(index)]: value };
    await make('records', 'Record', `spec-${index}`, { spec: part });
    await make('records', 'Record', `status-${index}`, {});
    await ok(patch(`records/status-${index}/status`, { status: part }));
    await make('plains', 'Plain', `plain-${index}`, { status: part });
    await make('records', 'Record', `gone-${index}`, { spec: part });
  }
  await replaceSchema('records', records('after'));
  await replaceSchema('plains', plain('after'));
});
after(() => server[Symbol.asyncDispose]());

async function make(plural: string, kind: string, name: string, content: object): Promise<void> {
  const metadata = { name, finalizers: ['example.com/hold'] };
  const body = { apiVersion: `${group}/v1`, kind, metadata, ...content };
  const created = await server.call('POST', `/apis/${group}/v1/namespaces/stricter-definitions/${plural}`, {
    body,
  });
  assert.equal(created.code, 201, created.text);
}

async function replaceSchema(plural: string, definition: { spec: object }): Promise<void> {
  const at = `${definitionsPath}/${plural}.${group}`;
  await ok(server.call('PATCH', at, { headers: merge, body: { spec: definition.spec } }));
  await until(`the new schema of ${plural} counts`, async () => {
    const body = { apiVersion: `${group}/v1`, kind: '', metadata: { name: 'probe' }, spec: { p2: 'a' } };
    body.kind = plural === 'records' ? 'Record' : 'Plain';
    const probe = await server.call(
      'POST',
      `/apis/${group}/v1/namespaces/stricter-definitions/${plural}?dryRun=All`,
      { body },
    );
    return probe.code === 422;
  });
}

function patch(at: string, body: object, headers = merge): Promise<Answer> {
  return server.call('PATCH', `/apis/${group}/v1/namespaces/stricter-definitions/${at}`, { headers, body });
}

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const { code, text } = await answer;
  assert.ok(code === 200, `${code} ${text}`);
  return answer;
}

async function read(at: string): Promise<Record<string, Record<string, unknown>>> {
  const { text } = await ok(server.call('GET', `/apis/${group}/v1/namespaces/stricter-definitions/${at}`));
  return JSON.parse(text);
}

/** Writes that leave the broken part as it is: metadata in every way, and a status where that is not the broken part. */
async function metadataCanChange(at: string, kind: string): Promise<void> {
  await ok(patch(at, { metadata: { labels: { merged: 'yes' } } }));
  await ok(
    patch(at, [{ op: 'add', path: '/metadata/annotations', value: { by: 'json-patch' } }], {
      'Content-Type': 'application/json-patch+json',
    }),
  );
  const object = await read(at);
  const metadata = { ...object['metadata'], finalizers: ['example.com/hold', 'example.com/more'] };
  const plural = `/apis/${group}/v1/namespaces/stricter-definitions/${at}`;
  await ok(server.call('PUT', plural, { body: { ...object, metadata } }));
  const [, name] = at.split('/');
  const configuration = { apiVersion: `${group}/v1`, kind, metadata: { name, labels: { applied: 'yes' } } };
  await ok(patch(`${at}?fieldManager=m`, configuration, apply));
  const { metadata: after } = await read(at);
  assert.deepEqual(after?.['labels'], { merged: 'yes', applied: 'yes' });
  assert.deepEqual(after?.['finalizers'], ['example.com/hold', 'example.com/more']);
}

async function canBeDeleted(at: string): Promise<void> {
  await ok(server.call('DELETE', `/apis/${group}/v1/namespaces/stricter-definitions/${at}`));
  assert.ok((await read(at))['metadata']?.['deletionTimestamp']);
  await ok(patch(at, { metadata: { finalizers: ['example.com/hold'] } }));
  await ok(patch(at, { metadata: { finalizers: null } }));
  assert.equal(
    (await server.call('GET', `/apis/${group}/v1/namespaces/stricter-definitions/${at}`)).code,
    404,
  );
}

for (const [index, { what, mayChange = false }] of rules.entries()) {
  test(`${what} in the specification: everything else can be changed`, async () => {
    const at = `records/spec-${index}`;
    await metadataCanChange(at, 'Record');
    await ok(patch(`${at}/status`, { status: { free: 'new' } }));
    const object = await read(at);
    await ok(
      server.call('PUT', `${path}/spec-${index}/status`, { body: { ...object, status: { free: 'put' } } }),
    );
    assert.deepEqual((await read(at))['status'], { free: 'put' });
    const changed = await patch(at, { spec: { free: 'changed' } });
    assert.equal(changed.code, mayChange ? 200 : 422, changed.text);
    await canBeDeleted(at);
  });

  test(`${what} in a status subresource: everything else can be changed`, async () => {
    const at = `records/status-${index}`;
    await metadataCanChange(at, 'Record');
    await ok(patch(at, { spec: { free: 'changed' } }));
    if (what !== 'a rule about the value before')
      await ok(patch(`${at}/status`, { status: { free: 'changed' } }));
    await ok(patch(`${at}/status`, { status: { [nameFromIndex(index)]: null } }));
    await canBeDeleted(at);
  });

  test(`${what} in a status that is part of the object`, async () => {
    const at = `plains/plain-${index}`;
    await metadataCanChange(at, 'Plain');
    if (what !== 'a rule about the value before') await ok(patch(at, { status: { free: 'changed' } }));
    await canBeDeleted(at);
  });

  test(`${what}: a terminating object can be changed`, async () => {
    const at = `records/gone-${index}`;
    await ok(server.call('DELETE', `${path}/gone-${index}`));
    await ok(patch(at, { metadata: { finalizers: null }, spec: { free: 'changed' } }));
    assert.equal((await server.call('GET', `${path}/gone-${index}`)).code, 404);
  });
}
