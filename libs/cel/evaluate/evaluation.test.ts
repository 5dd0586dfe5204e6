import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { compileText } from '../check/check-expression.ts';
import { createEnvironment } from '../check/environment.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { typeFromSchema } from '../types/schema-types.ts';
import { CelError } from '../values/cel-error.ts';
import { valueFromJson } from '../values/json-reader.ts';
import type { Value } from '../values/value.ts';
import { createProgram, type Evaluation, type Program } from './program.ts';

const plenty = 1_000_000;

/** Creates a program without checker facts. */
function dynamicProgram(text: string, variables: readonly string[] = ['self']): Program {
  const program = createProgram(parseExpression(text), { variables });
  assert.ok(!(program instanceof CelError), text);
  return program;
}

function evaluate(text: string, self: unknown = null, budget = plenty): Evaluation {
  return dynamicProgram(text).evaluate([valueFromJson(self)], budget);
}

function computeResult(text: string, self?: unknown): Value {
  const { value } = evaluate(text, self);
  return value instanceof CelError ? `error: ${value.message}` : value;
}

describe('JSON is evaluated in place', () => {
  const self = { whole: 3, part: 3.5, name: 'a', none: null, list: [1, 2.5], inner: { b: true } };
  const cases: readonly (readonly [string, Value])[] = [
    ['type(self.whole) == int', true],
    ['type(self.part) == double', true],
    ['self.whole < self.part', true],
    ['self.none == null', true],
    ['has(self.inner.b) && !has(self.inner.c)', true],
    ['self.list[0] + 1', 2n],
    ['self.list.map(x, x + x)[0]', 2n],
    ['self.toString', 'error: no such key: toString'],
    ['has(self.__proto__)', false],
    ["'constructor' in self", false],
    ['self.inner == {"b": true}', true],
    ['size(self)', 6n],
  ];
  for (const [text, expected] of cases) test(text, () => assert.equal(computeResult(text, self), expected));
});

describe('lists of a schema', () => {
  const item = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } };
  const schema = {
    type: 'object',
    properties: {
      set: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
      map: { type: 'array', items: item, 'x-cluster-list-type': 'map', 'x-cluster-list-map-keys': ['k'] },
      plain: { type: 'array', items: { type: 'string' } },
    },
  };
  const object = {
    set: ['b', 'a'],
    map: [
      { k: 'x', v: 1 },
      { k: 'y', v: 2 },
    ],
    plain: ['b', 'a'],
  };
  const cases: readonly string[] = [
    "self.set == ['a', 'b']",
    "self.plain != ['a', 'b']",
    "(self.set + ['c', 'a']).map(x, x) == ['b', 'a', 'c']",
    "self.plain + ['a'] == ['b', 'a', 'a']",
    'self.map == [self.map[1], self.map[0]]',
    'size(self.map + [self.map[0]]) == 2',
    "(self.map + [self.map[0]])[0].k == 'x'",
  ];
  const type = typeFromSchema(schema);
  for (const text of cases)
    test(text, () => {
      assert.ok(type !== undefined);
      const { parsed, facts } = compileText(text, createEnvironment({ variables: [['self', type]] }));
      const program = createProgram(parsed, { variables: ['self'], facts });
      assert.ok(!(program instanceof CelError));
      assert.equal(program.evaluate([valueFromJson(object, type)], plenty).value, true);
    });
});

describe('a value that does not fit its type', () => {
  const type = typeFromSchema({
    type: 'object',
    properties: { n: { type: 'integer' }, l: { type: 'array', items: { type: 'string' } } },
  });
  it('is an error only where it is read', () => {
    const bad = valueFromJson({ n: 'three', l: {} }, type);
    for (const [text, isError] of [
      ['self.n == 3', true],
      ['has(self.l)', true],
      ['true || self.n == 3', false],
    ] as const)
      assert.equal(dynamicProgram(text).evaluate([bad], plenty).value instanceof CelError, isError, text);
  });
});

describe('errors', () => {
  it('are absorbed when another operand decides', () => {
    assert.equal(computeResult('1 / 0 == 1 || true'), true);
    assert.equal(computeResult('1 / 0 == 1 && false'), false);
    assert.equal(computeResult('[0, 1].exists(x, 1 / x == 1)'), true);
    assert.equal(computeResult('[0, 2].all(x, 1 / x == 1)'), false);
    assert.equal(computeResult('[0, 1].all(x, 1 / x == 1)'), 'error: division by zero');
  });

  it('of an invalid pattern fail the compilation', () => {
    const program = createProgram(parseExpression("self.matches(')')"), { variables: ['self'] });
    assert.ok(program instanceof CelError);
    assert.match(program.message, /error parsing regexp/);
  });
});

describe('a budget', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  const many = 'self.all(x, self.all(y, x + y >= 0))';

  it('ends a program with an error that no operator absorbs', () => {
    for (const text of [many, `${many} || true`, `true || ${many} || 1 / 0 == 1`]) {
      const { isHalted, value } = evaluate(text, numbers, 10_000);
      assert.equal(isHalted, !text.startsWith('true'), text);
      assert.equal(value instanceof CelError, isHalted);
    }
  });

  it('is enough if it is the cost of the program', () => {
    const { cost } = evaluate('self.all(x, x < 1000)', numbers);
    assert.equal(evaluate('self.all(x, x < 1000)', numbers, cost).isHalted, false);
    assert.equal(evaluate('self.all(x, x < 1000)', numbers, cost - 1).isHalted, true);
  });

  it('limits cheap operations that do much work', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => `item ${index}`);
    const self = { a: list, b: [...list] };
    assert.equal(evaluate('self.a.all(x, self.a == self.b)', self, 100_000).isHalted, true);
    assert.equal(evaluate('self.a == self.b', self, 100_000).value, true);
    const texts = { list, a: 'a'.repeat(100_000), b: 'a'.repeat(100_000) };
    assert.equal(evaluate('self.list.all(x, self.a == self.b)', texts, 100_000).isHalted, true);
    const empty = Array.from({ length: 5_000 }, () => '');
    assert.equal(evaluate("self.all(x, self.min() == '')", empty, 100_000).isHalted, true);
  });

  it('limits patterns by the size of their program', () => {
    const self = { text: 'a'.repeat(10_000), pattern: '(((a|b){1,30}){1,30}c)' };
    assert.equal(evaluate("self.text.matches('(((a|b){1,30}){1,30}c)')", self).isHalted, true);
    assert.equal(evaluate('self.text.matches(self.pattern)', self).isHalted, true);
    assert.match(
      String(computeResult('self.text.matches(self.pattern)', { text: 'a', pattern: '(a{1,1000}){1,1000}' })),
      /^error/,
    );
  });

  it('limits growing texts', () => {
    const self = 'a'.repeat(100_000);
    assert.equal(computeResult("self.replace('a', self)", self), 'error: the text is too long');
    assert.equal(
      computeResult(
        '[1, 2].map(x, self.replace("a", "aaaaaaaaaa")).map(y, size(y)) == [1000000, 1000000]',
        self,
      ),
      true,
    );
  });
});
