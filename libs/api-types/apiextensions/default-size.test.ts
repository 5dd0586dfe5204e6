import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldPath, type JsonValue } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { structuralSchemaErrors } from './structural-schema.ts';

const text: JSONSchemaProps = { type: 'string' };
const objectOf = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
  type: 'object',
  properties,
});
const listOf = (items: JSONSchemaProps, byDefault: JsonValue): JSONSchemaProps => ({
  type: 'array',
  items,
  default: byDefault,
});
const empty = (count: number): JsonValue => Array.from({ length: count }, () => ({}));
const many = (count: number) =>
  objectOf({
    a: listOf(
      text,
      Array.from({ length: count }, () => 'x'),
    ),
  });

const rows: [what: string, schema: JSONSchemaProps, errors: string[]][] = [
  [
    'a default of many values',
    listOf(
      text,
      Array.from({ length: 20_000 }, () => 'x'),
    ),
    [],
  ],
  ['a default within another, often', listOf(many(150), empty(150)), []],
  ['a default within another, too often', listOf(many(500), empty(100)), ['spec.properties[a].default']],
  [
    'a long text, too often',
    listOf(objectOf({ a: { ...text, default: 'x'.repeat(100_000) } }), empty(20)),
    ['spec.properties[a].default'],
  ],
  [
    'what is there is not filled in',
    listOf(
      many(500),
      Array.from({ length: 100 }, () => ({ a: [] })),
    ),
    [],
  ],
  [
    'many defaults, each of them small enough',
    objectOf(
      Object.fromEntries(Array.from({ length: 2 }, (_, i) => [`p${i}`, listOf(many(150), empty(150))])),
    ),
    ['spec'],
  ],
];
for (const [what, schema, errors] of rows)
  test(what, () => {
    const found = structuralSchemaErrors(objectOf({ a: schema }), fieldPath('spec'));
    assert.deepEqual(
      found.map(({ field }) => field),
      errors,
    );
  });
