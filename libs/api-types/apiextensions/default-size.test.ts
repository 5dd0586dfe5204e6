import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldPath, type JsonValue } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { structuralSchemaErrors } from './structural-schema.ts';

const text: JSONSchemaProps = { type: 'string' };
const createObject = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
  type: 'object',
  properties,
});
const createList = (items: JSONSchemaProps, byDefault: JsonValue): JSONSchemaProps => ({
  type: 'array',
  items,
  default: byDefault,
});
const empty = (count: number): JsonValue => Array.from({ length: count }, () => ({}));
const many = (count: number) =>
  createObject({
    a: createList(
      text,
      Array.from({ length: count }, () => 'x'),
    ),
  });

const rows: [what: string, schema: JSONSchemaProps, errors: string[]][] = [
  [
    'a default of many values',
    createList(
      text,
      Array.from({ length: 20_000 }, () => 'x'),
    ),
    [],
  ],
  ['a default within another, often', createList(many(150), empty(150)), []],
  ['a default within another, too often', createList(many(500), empty(100)), ['spec.properties[a].default']],
  [
    'a long text, too often',
    createList(createObject({ a: { ...text, default: 'x'.repeat(100_000) } }), empty(20)),
    ['spec.properties[a].default'],
  ],
  [
    'what is there is not filled in',
    createList(
      many(500),
      Array.from({ length: 100 }, () => ({ a: [] })),
    ),
    [],
  ],
  [
    'many defaults, each of them small enough',
    createObject(
      Object.fromEntries(Array.from({ length: 2 }, (_, i) => [`p${i}`, createList(many(150), empty(150))])),
    ),
    ['spec'],
  ],
];
for (const [what, schema, errors] of rows)
  test(what, () => {
    const found = structuralSchemaErrors(createObject({ a: schema }), fieldPath('spec'));
    assert.deepEqual(
      found.map(({ field }) => field),
      errors,
    );
  });
