import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeFromFieldError, fieldPath, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { matchPattern } from '../apiextensions/pattern.ts';
import { schemaValueErrors } from '../apiextensions/schema-value-validation.ts';
import { pruneObject } from './prune.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

const text = { type: 'string' };
const createObject = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const keep = { 'x-cluster-preserve-unknown-fields': true };
const embedded = { 'x-cluster-embedded-type': true };

const pruned: [what: string, schema: JsonObject, value: JsonObject, kept: JsonObject, unknown: string[]][] = [
  ['what is not known goes', createObject({ a: text }), { a: '1', b: { c: 1 } }, { a: '1' }, ['b']],
  [
    'at any depth',
    createObject({ a: createObject({ b: text }) }),
    { a: { b: '1', c: 2 } },
    { a: { b: '1' } },
    ['a.c'],
  ],
  [
    'in lists',
    createObject({ a: { type: 'array', items: createObject({ b: text }) } }),
    { a: [{ b: '1' }, { c: 1 }] },
    { a: [{ b: '1' }, {}] },
    ['a[1].c'],
  ],
  [
    'in maps',
    createObject({ a: { type: 'object', additionalProperties: createObject({ b: text }) } }),
    { a: { x: { b: '1', c: 1 } } },
    { a: { x: { b: '1' } } },
    ['a.x.c'],
  ],
  [
    'what every object has stays',
    createObject({}),
    { kind: 'K', apiVersion: 'v', metadata: { name: 'x' } },
    { kind: 'K', apiVersion: 'v', metadata: { name: 'x' } },
    [],
  ],
  [
    'what is to be kept is kept, but for what is known below it',
    createObject({ a: createObject({ b: createObject({}) }, keep) }),
    { a: { b: { c: 1 }, d: { e: 1 } } },
    { a: { b: {}, d: { e: 1 } } },
    ['a.b.c'],
  ],
  [
    'free values stay',
    createObject({ a: { type: 'object', additionalProperties: true } }),
    { a: { b: { c: 1 } } },
    { a: { b: { c: 1 } } },
    [],
  ],
  [
    'of an embedded object what every object has',
    createObject({ a: createObject({ spec: createObject({}) }, embedded) }),
    { a: { kind: 'K', apiVersion: 'v', metadata: { name: 'x', odd: 1 }, spec: { b: 1 }, c: 1 } },
    { a: { kind: 'K', apiVersion: 'v', metadata: { name: 'x' }, spec: {} } },
    ['a.metadata.odd', 'a.spec.b', 'a.c'],
  ],
  [
    'nulls in the metadata of an embedded object are absent, or the empty value where they cannot be',
    createObject({ a: createObject({}, embedded), b: { type: 'array', items: createObject({}, embedded) } }),
    {
      a: {
        metadata: {
          name: null,
          labels: { a: null },
          annotations: { a: null },
          finalizers: [null],
          ownerReferences: [null, { kind: null, uid: 'u' }],
        },
      },
      b: [{ kind: 'K', metadata: null }],
    },
    {
      a: {
        metadata: {
          labels: { a: '' },
          annotations: { a: '' },
          finalizers: [''],
          ownerReferences: [{}, { uid: 'u' }],
        },
      },
      b: [{ kind: 'K' }],
    },
    [],
  ],
];
for (const [what, schema, value, kept, unknown] of pruned)
  test(`pruning: ${what}`, () => {
    const told: string[] = [];
    assert.equal(
      pruneObject(schema, value, path => told.push(path)),
      undefined,
    );
    assert.deepEqual([value, told], [kept, unknown]);
  });

test('pruning reports the metadata of embedded objects with a wrong type', () => {
  const value = { a: { kind: 'K', apiVersion: 'v', metadata: { labels: { b: 1 } } } };
  const mismatch = pruneObject(
    createObject({ a: createObject({}, { ...embedded, ...keep }) }),
    value,
    () => {},
  );
  assert.deepEqual(mismatch, { path: 'a.metadata.labels.b', found: 'number', expected: 'string' });
});

test('pruning reports the apiVersion or kind of an embedded object with a wrong type', () => {
  const schema = createObject({ a: createObject({}, { ...embedded, ...keep }) });
  for (const [key, value] of [
    ['apiVersion', 1],
    ['kind', { b: 1 }],
  ] as const) {
    const mismatch = pruneObject(schema, { a: { apiVersion: 'v', kind: 'K', [key]: value } }, () => {});
    assert.deepEqual([mismatch?.path, mismatch?.expected], [`a.${key}`, 'string']);
  }
  assert.equal(
    pruneObject(schema, { a: { apiVersion: null } }, () => {}),
    undefined,
  );
});

test('properties with the names of inherited members are ordinary properties', () => {
  const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":"c","a":{}}') as JsonObject;
  const schema = createObject({
    toString: { ...text, default: 'own' },
    a: createObject({ constructor: { ...text, default: 'd' } }),
  });
  pruneObject(schema, value, () => {});
  applySchemaDefaults(schema, value, { definition: 'd' });
  assert.deepEqual(Object.keys(value).sort(), ['a', 'toString']);
  assert.equal(JSON.stringify(value['a']), '{"constructor":"d"}');
  assert.equal(({} as JsonObject)['polluted'], undefined);
});

const defaulted: [what: string, schema: JsonObject, value: JsonObject, completed: JsonObject][] = [
  ['what is left out', createObject({ a: { ...text, default: 'd' } }), {}, { a: 'd' }],
  ['not what is there', createObject({ a: { ...text, default: 'd' } }), { a: '' }, { a: '' }],
  [
    'below a parent that is there',
    createObject({ a: createObject({ b: { ...text, default: 'd' } }) }),
    { a: {} },
    { a: { b: 'd' } },
  ],
  [
    'nothing below a parent that is not',
    createObject({ a: createObject({ b: { ...text, default: 'd' } }) }),
    {},
    {},
  ],
  [
    'below a parent that has a default',
    createObject({ a: createObject({ b: { ...text, default: 'd' } }, { default: {} }) }),
    {},
    { a: { b: 'd' } },
  ],
  ['a null that cannot be', createObject({ a: { ...text, default: 'd' } }), { a: null }, { a: 'd' }],
  [
    'not a null that can be',
    createObject({ a: { ...text, nullable: true, default: 'd' } }),
    { a: null },
    { a: null },
  ],
  ['a null without a default goes', createObject({ a: text }), { a: null }, {}],
  ['a default that is null is none', createObject({ a: { ...text, nullable: true, default: null } }), {}, {}],
  [
    'metadata of an embedded object',
    createObject({
      a: createObject(
        {
          metadata: createObject({ namespace: { ...text, default: 'n' } }, { default: {} }),
          kind: { ...text, default: 'K' },
        },
        embedded,
      ),
    }),
    { a: { apiVersion: 'v1' } },
    { a: { apiVersion: 'v1', kind: 'K', metadata: { namespace: 'n' } } },
  ],
  [
    'items and values of maps',
    createObject({
      a: { type: 'array', items: createObject({ b: { ...text, default: 'd' } }) },
      m: { type: 'object', additionalProperties: createObject({ b: { ...text, default: 'e' } }) },
    }),
    { a: [{}], m: { x: {} } },
    { a: [{ b: 'd' }], m: { x: { b: 'e' } } },
  ],
];
for (const [what, schema, value, completed] of defaulted)
  test(`defaults: ${what}`, () => {
    applySchemaDefaults(schema, value, { definition: 'd' });
    assert.deepEqual(value, completed);
    applySchemaDefaults(schema, value, { definition: 'd' });
    assert.deepEqual(value, completed, 'a second time changes nothing');
  });

test('a default is not shared between objects', () => {
  const schema = createObject({ a: { type: 'array', items: text, default: ['d'] } });
  const [one, other]: JsonObject[] = [{}, {}];
  for (const value of [one, other]) if (value) applySchemaDefaults(schema, value, { definition: 'd' });
  (one?.['a'] as string[]).push('x');
  assert.deepEqual(other, { a: ['d'] });
});

const metadataFindings: readonly [metadata: JsonValue, findings: readonly string[]][] = [
  [null, []],
  [{ labels: { a: null }, annotations: { a: null }, name: null }, []],
  [{ finalizers: [null] }, ['Invalid a.metadata.finalizers', 'Invalid a.metadata.finalizers']],
  [
    { ownerReferences: [null] },
    ['apiVersion', 'kind', 'name', 'uid'].map(field => `Invalid a.metadata.ownerReferences.${field}`),
  ],
  ['text', ['Invalid a.metadata']],
  [{ finalizers: 'x' }, ['Invalid a.metadata']],
  [{ ownerReferences: 'a' }, ['Invalid a.metadata']],
  [{ annotations: { a: 1 } }, ['Invalid a.metadata']],
];
for (const [metadata, findings] of metadataFindings)
  test(`errors of the embedded metadata ${JSON.stringify(metadata)}`, () => {
    const value = { a: { apiVersion: 'v1', kind: 'Pod', metadata } };
    const found = schemaValueErrors(createObject({ a: createObject({}, embedded) }), value, fieldPath());
    assert.deepEqual(
      found.map(({ type, field }) => `${type} ${field}`),
      findings,
    );
    assert.equal(value.a.metadata, metadata);
  });

const list = (marks: JsonObject, items: JsonObject) =>
  createObject({ l: { type: 'array', items, ...marks } });
const keyed = list(
  { 'x-cluster-list-type': 'map', 'x-cluster-list-map-keys': ['p', 'n'] },
  createObject({ p: { ...text, default: 'TCP' }, n: { type: 'integer' } }),
);
const repeated: [what: string, schema: JsonObject, l: JsonObject['l'], errors: string[]][] = [
  ['a set', list({ 'x-cluster-list-type': 'set' }, text), ['a', 'b', 'a'], ['Duplicate l[2]']],
  [
    'a set of objects',
    list(
      { 'x-cluster-list-type': 'set' },
      createObject({ a: text, b: text }, { 'x-cluster-map-type': 'atomic' }),
    ),
    [
      { a: '1', b: '2' },
      { b: '2', a: '1' },
    ],
    ['Duplicate l[1]'],
  ],
  ['a list', list({}, text), ['a', 'a'], []],
  ['a map, where a key is its default', keyed, [{ n: 1 }, { p: 'TCP', n: 1 }], ['Duplicate l[1]']],
  ['a map', keyed, [{ n: 1 }, { p: 'UDP', n: 1 }, { n: 2 }], []],
];
for (const [what, schema, l, errors] of repeated)
  test(`repeated items: ${what}`, () => {
    const found = schemaValueErrors(schema, { l: l ?? null }, fieldPath());
    assert.deepEqual(
      found.map(error => `${error.type} ${error.field}`),
      errors,
    );
  });

const integer = { type: 'integer' };
const number = { type: 'number' };
const found: [what: string, schema: JsonObject, value: JsonValue, findings: string[]][] = [
  ['a multiple of a tenth', { ...number, multipleOf: 0.1 }, 0.3, []],
  ['a multiple of a hundredth', { ...number, multipleOf: 0.01 }, 4.35, ['Invalid v']],
  ['a large multiple of a tenth', { ...number, multipleOf: 0.1 }, 123_456_789.1, []],
  ['no multiple of a tenth', { ...number, multipleOf: 0.1 }, 0.35, ['Invalid v']],
  ['a whole multiple of a fraction', { ...number, multipleOf: 0.25 }, 3, []],
  ['a multiple of one and a half', { ...number, multipleOf: 1.5 }, 4.5, []],
  ['an integer, measured against the whole part of a factor', { ...integer, multipleOf: 2.5 }, 4, []],
  ['an integer, measured against another', { ...integer, multipleOf: 2.5 }, 5, ['Invalid v']],
  ['an integer at the whole part of a minimum', { ...integer, minimum: 2.5 }, 2, []],
  ['an integer below it', { ...integer, minimum: 2.5 }, 1, ['Invalid v']],
  ['a fraction below a minimum', { ...number, minimum: 2.5 }, 2.25, ['Invalid v']],
  [
    'an integer at the whole part of an exclusive maximum',
    { ...integer, maximum: 3.5, exclusiveMaximum: true },
    3,
    ['Invalid v'],
  ],
  ['an integer of more than 32 bits', { ...integer, format: 'int32' }, 2 ** 40, []],
  ['a text with the format of numbers', { ...text, format: 'int32' }, 'x', []],
  ['a format without a type', { ...keep, format: 'ipv4' }, 'x', ['TypeInvalid v']],
  ['a format of texts on another type', { ...keep, type: 'object', format: 'ipv4' }, {}, []],
  ['another type that is no member either', { ...text, enum: ['a'] }, 1, ['TypeInvalid v', 'NotSupported v']],
  ['a long text that does not match either', { ...text, maxLength: 1, pattern: '^b' }, 'aa', ['TooLong v']],
  ['a text that does not match', { ...text, maxLength: 2, pattern: '^b' }, 'aa', ['Invalid v']],
  [
    'members of an object that has too many',
    { type: 'object', maxProperties: 1, additionalProperties: integer, required: ['c'] },
    { a: 'x', b: 1 },
    ['TooMany v'],
  ],
  ['null where that can be', { ...text, nullable: true }, null, []],
  ['null where it cannot', text, null, ['TypeInvalid v']],
  ['null without a type', keep, null, []],
  ['null for an integer or a text', { 'x-cluster-int-or-string': true }, null, ['TypeInvalid v']],
  ['null beside an enumeration', { ...text, nullable: true, enum: ['a'] }, null, ['NotSupported v']],
  [
    'null that an enumeration names',
    { ...text, nullable: true, enum: ['a', null] },
    null,
    ['NotSupported v'],
  ],
  ['nothing where nothing may be', { type: 'object', additionalProperties: false }, {}, []],
  [
    'something where nothing may be',
    { type: 'object', additionalProperties: false },
    { a: 1, b: 2 },
    ['Invalid v', 'Invalid v'],
  ],
  [
    'anything beside a field',
    createObject({ a: text }, { additionalProperties: true }),
    { a: 'x', b: [1] },
    [],
  ],
  [
    'an embedded object with names that no path can have',
    createObject({}, { ...embedded, ...keep }),
    { apiVersion: 'a/b/c', kind: '%', metadata: { name: '..', generateName: 'a/', labels: { a: 'x y' } } },
    ['apiVersion', 'kind', 'metadata.generateName', 'metadata.name', 'metadata.labels'].map(
      f => `Invalid v.${f}`,
    ),
  ],
  [
    'restricted metadata of an embedded object',
    createObject(
      { metadata: createObject({ name: { ...text, pattern: '^a' } }, { required: ['namespace'] }) },
      embedded,
    ),
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
    ['Required v.metadata.namespace', 'Invalid v.metadata.name'],
  ],
];
for (const [what, schema, value, findings] of found)
  test(`errors of ${what}`, () => {
    const errors = schemaValueErrors(schema, value, fieldPath('v'));
    assert.deepEqual(
      errors.map(({ type, field }) => `${type} ${field}`),
      findings,
    );
  });

test('a pattern is matched in linear time', () => {
  assert.equal(matchPattern('^(a+)+$', `${'a'.repeat(50_000)}b`), 'differs');
  assert.equal(matchPattern('^(a|aa)+$', 'a'.repeat(50_000)), 'matches');
  assert.equal(matchPattern('(?i)^[[:alpha:]]+\\z', 'AbC'), 'matches');
});

/** Creates nested alternatives of a width and depth that no text of one character matches. */
function alternatives(width: number, depth: number): JsonObject {
  if (depth === 0) return { minLength: 2 };
  return { anyOf: Array.from({ length: width }, () => alternatives(width, depth - 1)) };
}

test('a validation that needs too many steps is refused with that reason', () => {
  const schema = (node: JsonObject) => createObject({ l: { type: 'array', items: { ...text, ...node } } });
  const list = (length: number): JsonObject => ({ l: new Array<string>(length).fill('x') });
  const messages = (node: JsonObject, length: number) =>
    schemaValueErrors(schema(node), list(length), fieldPath()).map(error => error.detail);
  assert.equal(messages(alternatives(5, 3), 100).length, 100);
  assert.match(messages(alternatives(12, 3), 900).at(-1) ?? '', /more than 300000 steps/);
  for (const deep of [alternatives(8, 5), { allOf: [alternatives(8, 5)] }, { not: alternatives(8, 5) }])
    assert.match(messages(deep, 50).at(-1) ?? '', /more than 300000 steps/);
  const numbers = { type: '', enum: Array.from({ length: 20_000 }, (_, i) => i) };
  const values = { l: new Array<number>(100).fill(-1) };
  const errors = schemaValueErrors(
    createObject({ l: { type: 'array', items: numbers } }),
    values,
    fieldPath(),
  );
  assert.match(errors.at(-1)?.detail ?? '', /more than 300000 steps/);
});

test('the names of a large object can be matched with common patterns', () => {
  const label = '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$';
  const pattern = '^[a-z0-9]{1,63}$|^([a-z0-9]([-a-z0-9]*[a-z0-9])?\\.)+[a-z]{2,63}$';
  const names = Array.from({ length: 24_000 }, (_, i) => `name${i}of${'x'.repeat(i % 40)}`);
  for (const one of [label, pattern]) {
    const schema = { type: 'array', items: { ...text, pattern: one } };
    assert.deepEqual(schemaValueErrors(schema, names, fieldPath()), []);
  }
});

test('a thousand errors with a long key or a long enumeration stay short', () => {
  const wrong = Array.from({ length: 1000 }, () => 'x');
  const lists = { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } };
  const names = Array.from({ length: 5000 }, (_, i) => `name${i}`);
  const texts = { type: 'array', items: { ...text, enum: names } };
  for (const [schema, value] of [
    [lists, { ['k'.repeat(900_000)]: wrong }],
    [texts, wrong],
  ] as const) {
    const errors = schemaValueErrors(schema, value, fieldPath('v'));
    assert.equal(errors.length, 1000);
    assert.ok(JSON.stringify(errors.map(causeFromFieldError)).length < 5_000_000);
  }
});

test('at most a thousand errors are reported', () => {
  const schema = createObject({ l: { type: 'array', items: { type: 'integer' } } });
  const found = schemaValueErrors(schema, { l: new Array<string>(64_000).fill('x') }, fieldPath());
  assert.equal(found.length, 1_000);
});
