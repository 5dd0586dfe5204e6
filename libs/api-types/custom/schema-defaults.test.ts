import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DefaultsTooLarge, type JsonObject } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

const text: JSONSchemaProps = { type: 'string' };
const items = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
  type: 'object',
  properties: {
    first: { ...text, default: 'f' },
    list: { type: 'array', items: { type: 'object', default: { here: 'yes' }, properties } },
    last: { type: 'object', default: {}, properties: { deep: { ...text, default: 'd' } } },
  },
});
const many = items({ a: { type: 'array', items: text, default: Array.from({ length: 500 }, () => 'x') } });
const long = items({ a: { ...text, default: 'x'.repeat(100_000) } });
const one = items({ a: { ...text, default: 'x' } });
const empty = (count: number) => Array.from({ length: count }, () => ({}));

const complete = (schema: JSONSchemaProps, object: JsonObject, bytes = 0) =>
  applySchemaDefaults(schema, object, { definition: 'things.example.com', bytes });

const tooLarge: [what: string, schema: JSONSchemaProps, object: JsonObject, bytes: number, limit: RegExp][] =
  [
    ['many values, often', many, { list: empty(60) }, 0, /25000 values/],
    ['a few values with those that are there', one, { list: empty(13_000) }, 0, /25000 values/],
    ['a long text, often', long, { list: empty(20) }, 0, /1400000 bytes/],
    ['a long text in a large object', long, { list: empty(10) }, 500_000, /1400000 bytes/],
    ['what stands for nulls', many, { list: Array.from({ length: 60 }, () => null) }, 0, /25000 values/],
  ];
for (const [what, schema, object, bytes, limit] of tooLarge)
  test(`${what}: the object gets no defaults at all`, () => {
    const before = structuredClone(object);
    assert.throws(
      () => complete(schema, object, bytes),
      (thrown: unknown) => {
        assert.ok(thrown instanceof DefaultsTooLarge);
        assert.match(thrown.message, /customresourcedefinition "things\.example\.com"/);
        assert.match(thrown.message, limit);
        return true;
      },
    );
    assert.deepEqual(object, before);
  });

test('an object that is too large without defaults is not refused for its defaults', () => {
  const complete = {
    first: 'f',
    last: { deep: 'd' },
    list: Array.from({ length: 26_000 }, () => ({ a: 'b' })),
  };
  const object: JsonObject = structuredClone(complete);
  applySchemaDefaults(one, object, { definition: 'd' });
  assert.deepEqual(object, complete);
});
