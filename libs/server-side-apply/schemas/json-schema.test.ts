import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { listPaths } from '../field-sets/field-set.ts';
import { pathText } from '../field-sets/path-element.ts';
import { fieldSetFromValue } from '../values/field-set-from-value.ts';
import { validate } from '../values/validate.ts';
import { typedSchemaOfJsonSchema } from './json-schema.ts';
import { untypedDeduced } from './typed-schema.ts';

const text = { type: 'string' };
const createObject = (properties: JsonObject, marks: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...marks,
});

const schema = typedSchemaOfJsonSchema(
  createObject({
    spec: createObject({
      count: { type: 'integer' },
      port: { 'x-cluster-int-or-string': true },
      names: { type: 'array', items: text, 'x-cluster-list-type': 'set' },
      plain: { type: 'array', items: text },
      ports: {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['p', 'k'],
        items: createObject({ k: text, p: { ...text, default: 'TCP' }, v: text }),
      },
      parts: {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['k'],
        items: createObject({ k: text, v: text }),
      },
      labels: { type: 'object', additionalProperties: text },
      whole: { type: 'object', additionalProperties: text, 'x-cluster-map-type': 'atomic' },
      unit: createObject({ a: text, b: text }, { 'x-cluster-map-type': 'atomic' }),
      any: { 'x-cluster-preserve-unknown-fields': true },
      part: createObject({ a: text }, { 'x-cluster-preserve-unknown-fields': true }),
      template: { type: 'object', 'x-cluster-embedded-type': true },
    }),
  }),
  new Map([['metadata', { element: 'f:metadata', schema: untypedDeduced }]]),
);

test('markers of a JSON schema define how managers share its values', () => {
  const object = {
    metadata: { name: 'x' },
    spec: {
      count: 1,
      names: ['a'],
      plain: ['p', 'p'],
      ports: [{ k: '1', v: '1' }],
      labels: { a: 'b' },
      whole: { a: 'b' },
      unit: { a: 'b' },
      any: { q: { r: [1] } },
      part: { a: 'x', free: { y: 1 } },
      template: { apiVersion: 'v1', kind: 'X', metadata: { labels: { a: 'b' } } },
    },
  };
  assert.deepEqual(validate(object, schema), []);
  assert.deepEqual([...listPaths(fieldSetFromValue(object, schema))].map(pathText).sort(), [
    '.metadata.name',
    '.spec.any.q',
    '.spec.any.q.r',
    '.spec.count',
    '.spec.labels.a',
    '.spec.names[="a"]',
    '.spec.part.a',
    '.spec.part.free',
    '.spec.part.free.y',
    '.spec.plain',
    '.spec.ports[k="1",p="TCP"]',
    '.spec.ports[k="1",p="TCP"].k',
    '.spec.ports[k="1",p="TCP"].v',
    '.spec.template.apiVersion',
    '.spec.template.kind',
    '.spec.template.metadata.labels',
    '.spec.template.metadata.labels.a',
    '.spec.unit',
    '.spec.whole',
  ]);
});

const faulty: readonly [what: string, spec: JsonObject][] = [
  ['a field that is not described', { other: 1 }],
  ['a text for a number', { count: '1' }],
  ['an object for a list', { names: {} }],
  ['an object where a number or a text must be', { port: {} }],
  ['an element of a set twice', { names: ['a', 'a'] }],
  ['an element of a keyed list twice', { ports: [{ k: '1' }, { k: '1', p: 'TCP' }] }],
  ['an element without its key', { parts: [{ v: '1' }] }],
];

test('a value that a JSON schema does not allow is an error', () => {
  for (const [what, spec] of faulty) assert.equal(validate({ spec }, schema).length, 1, what);
  assert.deepEqual(validate({ spec: { port: 80 } }, schema), []);
  assert.deepEqual(validate({ spec: { port: 'http' } }, schema), []);
});
