import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { equalFieldSets } from '../field-sets/algebra.ts';
import { type FieldSet, listPaths } from '../field-sets/field-set.ts';
import { fieldSetFromJson, fieldSetToJson } from '../field-sets/fields-v1.ts';
import { pathText } from '../field-sets/path-element.ts';
import { createRandom, randomObject } from '../test-drivers/random-objects.ts';
import { everything, ports, setOfTexts, struct } from '../test-drivers/schema-of-everything.ts';
import { fieldSetFromValue } from './field-set-from-value.ts';
import { isItemProblem, itemElement } from './list-items.ts';

/** Returns a new set with the same paths in canonical order. */
const reread = (set: FieldSet): FieldSet => fieldSetFromJson(fieldSetToJson(set));
const texts = (set: FieldSet): string[] => [...listPaths(set)].map(pathText);

describe('the field set of an object, built from an earlier set', () => {
  test('is the earlier set itself if it is equal', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const object = randomObject(createRandom(seed));
      const earlier = reread(fieldSetFromValue(object, everything));
      assert.equal(fieldSetFromValue(object, everything, earlier), earlier);
    }
  });

  test('does not depend on the content of the earlier set', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = createRandom(seed);
      const earlier = reread(fieldSetFromValue(randomObject(random), everything));
      const before = texts(earlier);
      const object = randomObject(random);
      const expected = fieldSetFromValue(object, everything);
      const fields = fieldSetFromValue(object, everything, earlier);
      assert.ok(equalFieldSets(fields, expected));
      assert.deepEqual(texts(fields), texts(expected));
      assert.deepEqual(texts(earlier), before);
    }
  });

  test('shares the unchanged parts', () => {
    const of = (replicas: number, name: string): JsonObject => ({
      spec: { replicas, ports: [{ port: 80, name }, { port: 81 }] },
      metadata: { name: 'x' },
    });
    const earlier = fieldSetFromValue(of(1, 'a'), everything);
    const spec = (set: FieldSet) => set.children.get('f:spec')?.children;
    const next = { ...of(2, 'b'), metadata: { labels: { a: 'b' } } };
    const fields = fieldSetFromValue(next, everything, earlier);
    assert.equal(spec(fields), spec(earlier));
    assert.notEqual(fields.children.get('f:metadata'), earlier.children.get('f:metadata'));
  });

  const repeated = struct({ set: setOfTexts, ports });
  const rows: { what: string; earlier: JsonValue; value: JsonValue }[] = [
    { what: 'a set with an element twice', earlier: { set: ['a', 'b'] }, value: { set: ['a', 'a'] } },
    {
      what: 'a list with an element twice',
      earlier: { ports: [{ port: 1 }, { port: 2 }] },
      value: { ports: [{ port: 1 }, { port: 1 }] },
    },
    {
      what: 'a list with an element that has no key',
      earlier: { ports: [{ port: 1 }, { port: 2 }] },
      value: { ports: ['none', { port: 1 }, { port: 3 }] },
    },
    { what: 'a list that became shorter', earlier: { set: ['a', 'b'] }, value: { set: ['b'] } },
    { what: 'a list that is empty', earlier: { set: ['a', 'b'] }, value: { set: [] } },
    { what: 'a member that is no list any more', earlier: { set: ['a'] }, value: { set: null } },
  ];
  for (const { what, earlier, value } of rows) {
    test(what, () => {
      const fields = fieldSetFromValue(value, repeated, fieldSetFromValue(earlier, repeated));
      assert.deepEqual(texts(fields), texts(fieldSetFromValue(value, repeated)));
    });
  }
});

describe('the path element of an item of a keyed list', () => {
  const list = ports.list!;
  const findStep = (item: JsonValue) => {
    const step = itemElement(item, list);
    return isItemProblem(step) ? step.problem : step;
  };
  const rows: { item: JsonObject; step: string }[] = [
    { item: { port: 80 }, step: 'k:{"port":80,"protocol":"TCP"}' },
    { item: { protocol: 'TCP', port: 80, name: 'x' }, step: 'k:{"port":80,"protocol":"TCP"}' },
    { item: { port: '80' }, step: 'k:{"port":"80","protocol":"TCP"}' },
    { item: { port: null, protocol: 'UDP' }, step: 'k:{"port":null,"protocol":"UDP"}' },
    { item: { protocol: 'UDP' }, step: 'k:{"protocol":"UDP"}' },
    { item: { port: { a: 1 } }, step: 'k:{"port":{"a":1},"protocol":"TCP"}' },
  ];
  for (const { item, step } of rows) {
    test(`is right for ${JSON.stringify(item)}, whatever items were cached before`, () => {
      for (let time = 0; time < 2; time++) assert.equal(findStep(item), step);
      for (const other of rows) findStep(other.item);
      assert.equal(findStep(item), step);
    });
  }

  test('is right when the cache is full, and when keys are long', () => {
    const long = 'x'.repeat(1000);
    for (let turn = 0; turn < 2; turn++) {
      for (let port = 0; port < 20_000; port++)
        assert.equal(findStep({ port }), `k:{"port":${port},"protocol":"TCP"}`);
      assert.equal(findStep({ port: 1, protocol: long }), `k:{"port":1,"protocol":"${long}"}`);
    }
  });
});
