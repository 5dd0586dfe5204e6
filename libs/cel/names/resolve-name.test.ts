import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkExpression } from '../check/check-expression.ts';
import { createEnvironment } from '../check/environment.ts';
import { createProgram } from '../evaluate/program.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { type CelType, types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { valueFromJson } from '../values/json-reader.ts';
import type { Value } from '../values/value.ts';

const map = types.map(types.string, types.dyn);

const variables: readonly (readonly [string, CelType, Value])[] = [
  ['a', map, valueFromJson({ b: 'field b of a', c: 'field c of a' })],
  ['a.b', types.string, 'a.b'],
  ['b', types.string, 'b'],
  ['inner.b', types.string, 'inner.b'],
  ['outer.inner.b', types.string, 'outer.inner.b'],
];

/** Evaluates an expression twice: with and without checker facts. */
function computeResults(text: string, container: string): (Value | string)[] {
  const parsed = parseExpression(text);
  const environment = createEnvironment({
    variables: variables.map(([name, type]) => [name, type]),
    container,
  });
  const { facts } = checkExpression(parsed, environment, text);
  return [facts, undefined].map(known => {
    const program = createProgram(parsed, {
      variables: variables.map(([name]) => name),
      container,
      facts: known,
    });
    if (program instanceof CelError) return program.message;
    const { value } = program.evaluate(
      variables.map(([, , value]) => value),
      1000,
    );
    return value instanceof CelError ? value.message : value;
  });
}

describe('a name refers to', () => {
  const cases: readonly (readonly [text: string, expected: Value, container?: string])[] = [
    ['b', 'b'],
    // The longest declared name wins.
    ['a.b', 'a.b'],
    ['a.c', 'field c of a'],
    // Names in the container are looked up from the innermost part outwards.
    ['b', 'outer.inner.b', 'outer.inner'],
    ['inner.b', 'outer.inner.b', 'outer'],
    ['b', 'b', 'outer'],
    ['.b', 'b', 'outer.inner'],
    // A loop variable hides all other names.
    ["[{'b': 1}].all(a, a.b == 1)", true],
    ["[{'b': 1}].map(a, a.b)[0]", 1n],
    ["[{'b': 1}].all(a, [a].all(x, a.b == x.b))", true],
    ["[{'b': 1}].all(outer, has(outer.b))", true, 'a'],
    ["['loop'].map(b, b)[0]", 'loop', 'outer.inner'],
    // A name with a leading dot never refers to a loop variable.
    ["[{'b': 1}].all(a, .a.b == 'a.b')", true],
    // The range of a loop is outside the scope of its variable.
    ['[a.b].map(a, a)[0]', 'a.b'],
  ];
  for (const [text, expected, container = ''] of cases)
    test(`${text} in '${container}'`, () =>
      assert.deepEqual(computeResults(text, container), [expected, expected]));
});

test('the checker does not mistake a field of a loop variable for a declared name', () => {
  const text = "[{'b': 1}].all(a, a.b == 1)";
  const environment = createEnvironment({ variables: [['a.b', types.string]] });
  const { facts } = checkExpression(parseExpression(text), environment, text);
  assert.ok(![...facts.names.values()].includes('a.b'));
});
