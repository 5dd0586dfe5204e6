import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { compileText } from '../check/check-expression.ts';
import { createEnvironment } from '../check/environment.ts';
import { compileValidationRule, ruleEnvironment } from '../check/validation-rule.ts';
import type { Range } from '../cost/size-range.ts';
import { createProgram } from '../evaluate/program.ts';
import { sizeOfReplaced } from '../functions/replace.ts';
import { typeFromSchema } from '../types/schema-types.ts';
import type { CelType } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { valueFromJson } from '../values/json-reader.ts';
import { estimateCost } from './estimate-cost.ts';

const text = { type: 'string', maxLength: 10 };
const texts = { type: 'array', items: text, maxItems: 10 };
const unlimited = { type: 'array', items: { type: 'string' } };

function createType(schema: JsonObject): CelType {
  const type = typeFromSchema(schema);
  assert.ok(type !== undefined);
  return type;
}

function estimate(rule: string, schema: JsonObject): Range {
  const { parsed, facts } = compileText(
    rule,
    createEnvironment({ variables: [['self', createType(schema)]] }),
  );
  return estimateCost(parsed, facts);
}

describe('the estimated maximum cost of a rule', () => {
  const cases: readonly (readonly [string, JsonObject, number])[] = [
    ['self == "a"', text, 2],
    ['has(self.a)', { type: 'object', additionalProperties: text }, 0],
    // A name, then for each of ten elements two for the condition and one for the step, then the result.
    ['self.all(x, true)', texts, 32],
    ['self.all(x, self.all(y, true))', texts, 352],
    // Every text takes at least two bytes of a request, plus a comma.
    ['self.all(x, true)', unlimited, 1_048_575 * 3 + 2],
    // A code point may take four bytes.
    ['self.contains("test")', text, 5],
    ['self.matches("abc")', text, 1 + 5 * 1],
    ['self.map(x, x + "a").all(y, true)', texts, 1 + 10 * (1 + 1 + 5 + 40 + 1) + 40 + 1 + 10 * 3 + 1],
    ['self.join(" ") == "a"', texts, 43],
    ['self == "a" || self == "b"', text, 4],
    ['self == "a" ? true : self == "b"', text, 4],
    ['[1, 2] == [1]', text, 81],
  ];
  for (const [rule, schema, max] of cases) test(rule, () => assert.equal(estimate(rule, schema).max, max));

  it('is infinite where a loop has no limit', () => {
    const anything = { type: 'object', properties: { a: { type: 'array', items: text } } };
    assert.equal(estimate('dyn(self.a).all(x, true)', anything).max, Number.POSITIVE_INFINITY);
  });
});

/** Estimates of apiextensions-apiserver 1.26 for the same rules. */
const asKubernetes: readonly (readonly [string, number])[] = [
  ["self.t.matches('abc')", 7],
  ["self.l.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')", 2516586],
  ['self.t.matches(self.t)', 54],
  ["self.u.all(x, x.matches('^a$'))", 329857577778],
  ["self.t.find('a+') == ''", 7],
  ["self.t.findAll('a+').size() == 0", 9],
  ["self.t.findAll('a+').all(x, x == '')", 168],
  ["self.t.startsWith('abc')", 3],
  ['self.t.endsWith(self.l)', 314577],
  ["self.t.contains('test')", 6],
  ["self.l.contains('a very long text in quotes')", 943721],
  ["string(self.b).contains('test')", 4],
  ['bytes(self.t).size() == 3', 8],
  ["string(bytes(self.t)).contains('a')", 38],
  ["self.t.lowerAscii().contains('abcdefghijkl')", 14],
  ["self.t.upperAscii().contains('abcdefghijkl')", 14],
  ["self.t.trim().contains('abcdefghijkl')", 14],
  ["self.t.substring(2).contains('abcdefghijkl')", 14],
  ["self.t.replace('a', 'bb').contains('a')", 18],
  ["self.t.replace('', 'bb').contains('a')", 23],
  ["self.t.replace('aaa', '').contains('a')", 14],
  ["self.t.replace('aa', 'bbbbb').contains('a')", 20],
  ["self.t.replace(self.t, self.l).contains('a')", 12897495],
  ["self.t.split(',').all(x, true)", 131],
  ["self.t.split(',', 3).all(x, true)", 20],
  ["self.ts.join(',').contains('a')", 84],
  ["self.ts.join(self.t).contains('a')", 156],
  ["self.t.indexOf('a') == 0", 7],
  ["self.t.lastIndexOf('a') == 0", 7],
  ["self.ts.indexOf('a') == 0", 53],
  ["self.ts.max() == 'a'", 53],
  ['self.ts.isSorted()', 52],
  ['isURL(self.t)', 3],
  ["url(self.t).getHost() == 'a'", 8],
  ["self.t + self.l == ''", 314581],
  ["(self.t + self.t).contains('a')", 20],
  ['self.t in self.ts', 14],
  ["'a' in self.u", 1048577],
  ['size(self.t) > 3', 4],
  ["timestamp(self.t) > timestamp('2020-01-01T00:00:00Z')", 5],
];
describe('the estimates of text functions are those of Kubernetes', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      t: text,
      l: { type: 'string' },
      ts: texts,
      b: { type: 'string', format: 'byte', maxLength: 10 },
      u: unlimited,
    },
  };
  const environment = ruleEnvironment(typeFromSchema(schema, { isRoot: true }) ?? { kind: 'dyn' });
  for (const [rule, max] of asKubernetes)
    test(rule, () => {
      const outcome = compileValidationRule(rule, environment);
      assert.ok(outcome.kind === 'rule', rule);
      assert.equal(estimateCost(outcome.checked.parsed, outcome.checked.facts).max, max);
    });
});

describe('an estimate', () => {
  const rules = [
    "self.all(x, x.startsWith('a'))",
    "self.exists(x, x == 'b')",
    "self.map(x, x + '!').size() == 10",
    "self.filter(x, x != 'a').size() < 5",
    'self.isSorted()',
    'self.all(x, string(x).size() == 10)',
    'self.all(x, self.exists_one(y, y == x))',
    "self.all(x, x.split('').size() < 20)",
    "'a' in self",
    "self.all(x, (x.contains('a') ? x : self[0]).size() > 0)",
  ];
  const object: JsonValue = Array.from({ length: 10 }, (_, index) => `text ${index}`.padEnd(10, 'z'));

  for (const rule of rules)
    test(`is at least the actual cost: ${rule}`, () => {
      const type = createType(texts);
      const { parsed, facts } = compileText(rule, createEnvironment({ variables: [['self', type]] }));
      const program = createProgram(parsed, { variables: ['self'], facts });
      assert.ok(!(program instanceof CelError));
      const { cost, value } = program.evaluate([valueFromJson(object, type)], 1_000_000);
      assert.equal(typeof value, 'boolean');
      assert.ok(cost <= estimate(rule, texts).max, `${cost}`);
    });
});

test('the estimated size of a text with replacements', () => {
  const range = (min: number, max = min): Range => ({ min, max });
  assert.deepEqual(sizeOfReplaced(range(3), range(0), range(1)), range(7));
  assert.deepEqual(sizeOfReplaced(range(3), range(1), range(0)), range(0, 3));
  assert.deepEqual(sizeOfReplaced(range(4), range(2), range(4)), range(4, 8));
  assert.deepEqual(sizeOfReplaced(range(4), range(0, 1), range(0, 2)), range(0, 14));
});
