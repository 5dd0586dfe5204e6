import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { copyJson, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { equalFieldSets, union } from '../field-sets/algebra.ts';
import type { FieldSet } from '../field-sets/field-set.ts';
import { createRandom, randomObject } from '../test-drivers/random-objects.ts';
import { everything, ports, setOfTexts, struct, text } from '../test-drivers/schema-of-everything.ts';
import { compare } from './compare.ts';
import { setsExactly } from './sets-exactly.ts';

/** The fields that a write adds or changes. */
function fieldsOf(before: JsonValue, after: JsonValue, schema = everything): FieldSet {
  const { added, modified } = compare(before, after, schema);
  return union(modified, added);
}

suite('the fields of a write are those of a set', () => {
  const seeds = Array.from({ length: 400 }, (_, i) => i + 1);

  test('for the same write of a new object', () => {
    for (const seed of seeds) {
      const after = randomObject(createRandom(seed));
      assert.ok(setsExactly(fieldsOf({}, after), { before: {}, after: copyJson(after) }, everything));
    }
  });

  test('never where they are not', () => {
    const outcomes = { same: 0, others: 0 };
    for (const seed of seeds) {
      const random = createRandom(seed);
      const [first, second] = [randomObject(random), randomObject(random)];
      // Parts of one object in the other make sets that differ little.
      const name = Object.keys(first)[random(Object.keys(first).length)];
      const mixed: JsonObject = { ...second, ...(name !== undefined && { [name]: first[name]! }) };
      for (const before of [{}, first, second, mixed])
        for (const after of [first, second, mixed])
          for (const other of [first, second, mixed]) {
            const set = fieldsOf({}, other);
            if (!setsExactly(set, { before, after }, everything)) {
              outcomes.others++;
              continue;
            }
            outcomes.same++;
            assert.ok(equalFieldSets(set, fieldsOf(before, after)), `seed ${seed}`);
          }
    }
    assert.ok(outcomes.same > 1000 && outcomes.others > 1000, JSON.stringify(outcomes));
  });

  const schema = struct({ name: text, set: setOfTexts, ports });
  const rows: { title: string; before?: JsonValue; first: JsonValue; second: JsonValue; same: boolean }[] = [
    { title: 'other values', first: { name: 'a' }, second: { name: 'b' }, same: true },
    { title: 'an undeclared member', first: { x: 1 }, second: { x: 2 }, same: true },
    { title: 'one more', first: { name: 'a' }, second: { name: 'a', x: 1 }, same: false },
    { title: 'one less', first: { name: 'a', x: 1 }, second: { name: 'a' }, same: false },
    {
      title: 'a value that was there',
      before: { name: 'a' },
      first: { name: 'b' },
      second: { name: 'a' },
      same: false,
    },
    {
      title: 'another value',
      before: { name: 'a' },
      first: { name: 'b' },
      second: { name: 'c' },
      same: true,
    },
    {
      title: 'elements of the same keys',
      first: { ports: [{ port: 1 }] },
      second: { ports: [{ port: 1 }] },
      same: true,
    },
    {
      title: 'elements of others',
      first: { ports: [{ port: 1 }] },
      second: { ports: [{ port: 2 }] },
      same: false,
    },
    { title: 'an element twice', first: { set: ['a', 'b'] }, second: { set: ['a', 'a'] }, same: false },
    {
      title: 'the elements twice',
      first: { set: ['a', 'b'] },
      second: { set: ['a', 'b', 'b'] },
      same: false,
    },
    { title: 'an empty list', first: { set: ['a'] }, second: { set: [] }, same: false },
    { title: 'null for a list', first: { set: [] }, second: { set: null }, same: true },
  ];
  for (const { title, before = {}, first, second, same } of rows)
    test(`${title}: ${same ? 'yes' : 'no'}`, () => {
      assert.equal(setsExactly(fieldsOf(before, first, schema), { before, after: second }, schema), same);
    });
});
