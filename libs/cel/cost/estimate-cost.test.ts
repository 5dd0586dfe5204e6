import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { compileText } from '../check/check-expression.ts';
import { createEnvironment } from '../check/environment.ts';
import { createProgram } from '../evaluate/program.ts';
import { schemaTypeOf } from '../types/schema-types.ts';
import type { CelType } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { valueFromJson } from '../values/json-reader.ts';
import { estimateCost } from './estimate-cost.ts';
import { sizeOfReplaced } from './estimate-replace.ts';
import type { Range } from './size-range.ts';

const text = { type: 'string', maxLength: 10 };
const texts = { type: 'array', items: text, maxItems: 10 };
const unlimited = { type: 'array', items: { type: 'string' } };

function typeOf(schema: JsonObject): CelType {
  const type = schemaTypeOf(schema);
  assert.ok(type !== undefined);
  return type;
}

function estimate(rule: string, schema: JsonObject): Range {
  const { parsed, facts } = compileText(rule, createEnvironment({ variables: [['self', typeOf(schema)]] }));
  return estimateCost(parsed, facts);
}

describe('the most that a rule may cost', () => {
  const cases: readonly (readonly [string, JsonObject, number])[] = [
    ['self == "a"', text, 2],
    ['has(self.a)', { type: 'object', additionalProperties: text }, 0],
    // A name, and for each of ten elements two for the condition and one for the step; then the result.
    ['self.all(x, true)', texts, 32],
    ['self.all(x, self.all(y, true))', texts, 352],
    // Every text takes at least two bytes of a request, and a comma.
    ['self.all(x, true)', unlimited, 1_048_575 * 3 + 2],
    // A code point may take four bytes.
    ['self.contains("test")', text, 5],
    ['self.matches("abc")', text, 1 + 3 * 40],
    ['self.map(x, x + "a").all(y, true)', texts, 1 + 10 * (1 + 1 + 5 + 40 + 1) + 40 + 1 + 10 * 3 + 1],
    ['self.join(" ") == "a"', texts, 43],
    ['self == "a" || self == "b"', text, 4],
    ['self == "a" ? true : self == "b"', text, 4],
    ['[1, 2] == [1]', text, 81],
  ];
  for (const [rule, schema, max] of cases) test(rule, () => assert.equal(estimate(rule, schema).max, max));

  it('is infinite where nothing bounds a loop', () => {
    const anything = { type: 'object', properties: { a: { type: 'array', items: text } } };
    assert.equal(estimate('dyn(self.a).all(x, true)', anything).max, Number.POSITIVE_INFINITY);
  });
});

describe('an estimate', () => {
  const rules = [
    "self.all(x, x.startsWith('a'))",
    "self.exists(x, x == 'b')",
    "self.map(x, x + '!').size() == 10",
    "self.filter(x, x != 'a').size() < 5",
    'self.isSorted()',
    "self[0].matches('^[a-z]{1,5}$')",
    'self.all(x, self.exists_one(y, y == x))',
    "self.all(x, x.split('').size() < 20)",
    "'a' in self",
    "self.all(x, (x.contains('a') ? x : self[0]).size() > 0)",
  ];
  const object: JsonValue = Array.from({ length: 10 }, (_, index) => `text ${index}`.padEnd(10, 'z'));

  for (const rule of rules)
    test(`is not below what is charged: ${rule}`, () => {
      const type = typeOf(texts);
      const { parsed, facts } = compileText(rule, createEnvironment({ variables: [['self', type]] }));
      const program = createProgram(parsed, { variables: ['self'], facts });
      assert.ok(!(program instanceof CelError));
      const { cost, value } = program.evaluate([valueFromJson(object, type)], 1_000_000);
      assert.equal(typeof value, 'boolean');
      assert.ok(cost <= estimate(rule, texts).max, `${cost}`);
    });
});

test('the size of a text in which parts are replaced', () => {
  const range = (min: number, max = min): Range => ({ min, max });
  assert.deepEqual(sizeOfReplaced(range(3), range(0), range(1)), range(7));
  assert.deepEqual(sizeOfReplaced(range(3), range(1), range(0)), range(0, 3));
  assert.deepEqual(sizeOfReplaced(range(4), range(2), range(4)), range(4, 8));
  assert.deepEqual(sizeOfReplaced(range(4), range(0, 1), range(0, 2)), range(0, 14));
});
