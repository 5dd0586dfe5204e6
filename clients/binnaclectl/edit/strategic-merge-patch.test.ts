import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentExtensionTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import { schemaFrom } from './patch-schema.ts';
import { createStrategicMergePatch } from './strategic-merge-patch.ts';

const { patchStrategy, patchMergeKey } = documentExtensionTable;

/** A document in the names of one vocabulary or the other. */
const documentIn = (vocabulary: 0 | 1): JsonObject => {
  const [strategy, key] = [patchStrategy[vocabulary], patchMergeKey[vocabulary]];
  const items = { $ref: '#/components/schemas/Item' };
  return {
    components: {
      schemas: {
        Thing: {
          properties: {
            spec: { allOf: [{ $ref: '#/components/schemas/Spec' }] },
          },
        },
        Spec: {
          properties: {
            items: { type: 'array', items, [strategy]: 'merge', [key]: 'name' },
            volumes: { type: 'array', items, [strategy]: 'merge,retainKeys', [key]: 'name' },
            names: { type: 'array', items: { type: 'string' }, [strategy]: 'merge' },
            atomic: { type: 'array', items },
            labels: { type: 'object', additionalProperties: { type: 'string' } },
            strategy: { allOf: [{ $ref: '#/components/schemas/Item' }], [strategy]: 'retainKeys' },
            whole: { allOf: [{ $ref: '#/components/schemas/Item' }], [strategy]: 'replace' },
          },
        },
        Item: {
          properties: { parts: { type: 'array', items, [strategy]: 'merge', [key]: 'name' } },
        },
      },
    },
  };
};

// The patches are those of kubectl 1.26, except where items cannot be told apart.
const cases: [what: string, original: JsonObject, edited: JsonObject, patch: JsonObject][] = [
  ['nothing', { items: [{ name: 'a' }] }, { items: [{ name: 'a' }] }, {}],
  [
    'an item that is changed, one that is added and one that is removed',
    { items: [{ name: 'a', v: 1, w: 1 }, { name: 'b' }] },
    { items: [{ name: 'c' }, { name: 'a', v: 2 }] },
    {
      items: [{ name: 'c' }, { name: 'a', v: 2, w: null }, { $patch: 'delete', name: 'b' }],
      '$setElementOrder/items': [{ name: 'c' }, { name: 'a' }],
    },
  ],
  [
    'the order of items',
    { items: [{ name: 'a' }, { name: 'b' }] },
    { items: [{ name: 'b' }, { name: 'a' }] },
    { '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }] },
  ],
  [
    'an item of a list in an item',
    { items: [{ name: 'a', parts: [{ name: 'x', v: 1 }] }] },
    { items: [{ name: 'a', parts: [{ name: 'x', v: 2 }] }] },
    {
      items: [{ name: 'a', parts: [{ name: 'x', v: 2 }], '$setElementOrder/parts': [{ name: 'x' }] }],
      '$setElementOrder/items': [{ name: 'a' }],
    },
  ],
  ['all items', { items: [{ name: 'a' }] }, { items: [] }, { items: [{ $patch: 'delete', name: 'a' }] }],
  ['a list', { items: [{ name: 'a' }] }, {}, { items: null }],
  [
    'items of which two have one name',
    {
      items: [
        { name: 'a', v: 1 },
        { name: 'a', v: 2 },
      ],
    },
    {
      items: [
        { name: 'a', v: 1 },
        { name: 'a', v: 3 },
      ],
    },
    { items: [{ $patch: 'replace' }, { name: 'a', v: 1 }, { name: 'a', v: 3 }] },
  ],
  [
    'an item that keeps its keys alone',
    { volumes: [{ name: 'v', a: {} }] },
    { volumes: [{ name: 'v', b: {} }] },
    {
      volumes: [{ name: 'v', a: null, b: {}, $retainKeys: ['b', 'name'] }],
      '$setElementOrder/volumes': [{ name: 'v' }],
    },
  ],
  [
    'a list of names',
    { names: ['a', 'b'] },
    { names: ['c', 'b'] },
    { names: ['c'], '$deleteFromPrimitiveList/names': ['a'], '$setElementOrder/names': ['c', 'b'] },
  ],
  [
    'a list that is replaced',
    { atomic: [{ name: 'a' }] },
    { atomic: [{ name: 'b' }] },
    { atomic: [{ name: 'b' }] },
  ],
  ['labels', { labels: { a: '1', b: '2' } }, { labels: { b: '3' } }, { labels: { a: null, b: '3' } }],
  [
    'an object that keeps its keys alone',
    { strategy: { type: 'x', a: 1 } },
    { strategy: { type: 'y' } },
    { strategy: { type: 'y', a: null, $retainKeys: ['type'] } },
  ],
  ['an object that is replaced', { whole: { a: 1, b: 1 } }, { whole: { a: 2 } }, { whole: { a: 2 } }],
  ['a field that the schema does not know', { x: { y: [1] } }, { x: { y: [2] } }, { x: { y: [2] } }],
];
for (const vocabulary of [0, 1] as const)
  for (const [what, original, edited, patch] of cases)
    test(`the patch of ${what} in vocabulary ${vocabulary}`, () => {
      const schema = schemaFrom(documentIn(vocabulary), { $ref: '#/components/schemas/Thing' });
      const created = createStrategicMergePatch({ spec: original }, { spec: edited }, schema);
      assert.deepEqual(created, Object.keys(patch).length === 0 ? {} : { spec: patch });
    });
