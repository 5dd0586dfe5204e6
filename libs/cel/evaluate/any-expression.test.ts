import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExpressionError } from '../syntax/expression-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { CelError } from '../values/cel-error.ts';
import { valueFromJson } from '../values/json-reader.ts';
import { createProgram, type Program } from './program.ts';

const expressions = 3000;

/** Maximum cost of evaluations that are verified step by step. */
const longestFollowed = 200;

const self = {
  n: 7,
  d: -2.5,
  big: 9007199254740992,
  s: 'Grüße 👑 a.b',
  e: '',
  t: '2011-08-18T19:03:37.01+01:00',
  u: '90s',
  l: [1, 'a', null, 2.5, [3], { k: 'v' }],
  m: { a: 1, 'b.c': [true], n: null },
  z: null,
};

/** Templates of expressions, in which `_` stands for a subexpression. */
const shapes = [
  ...['_ + _', '_ - _', '_ * _', '_ / _', '_ % _', '-(_)', '!(_)', '_ == _', '_ != _', '_ < _', '_ >= _'],
  ...['_ && _', '_ || _', '_ ? _ : _', '_ in _', '(_)[_]', '[_, _]', '{_: _}', '{"k": _}.k', 'has((_).a)'],
  ...['size(_)', 'type(_)', 'int(_)', 'uint(_)', 'double(_)', 'string(_)', 'bytes(_)', 'bool(_)', 'dyn(_)'],
  ...['timestamp(_)', 'duration(_)', '(_).getHours()', '(_).getFullYear(_)', '(_).getMilliseconds()'],
  ...['(_).all(x, _)', '(_).exists(x, _)', '(_).exists_one(x, _)', '(_).map(x, _)', '(_).map(x, _, _)'],
  ...['(_).filter(x, _)', '(_).sum()', '(_).min()', '(_).max()', '(_).isSorted()', '(_).indexOf(_)'],
  ...['(_).lastIndexOf(_)', '(_).matches(_)', '(_).find(_)', '(_).findAll(_)', '(_).findAll(_, _)'],
  ...['(_).contains(_)', '(_).startsWith(_)', '(_).replace(_, _)', '(_).split(_)', '(_).split(_, _)'],
  ...[
    '(_).join(_)',
    '(_).substring(_)',
    '(_).substring(_, _)',
    '(_).charAt(_)',
    '(_).trim()',
    '(_).upperAscii()',
  ],
  ...['isURL(_)', 'url(_)', '(_).getHost()', '(_).getQuery()', 'nothing(_)', '(_).nothing'],
];

const leaves = [
  ...[
    'self.n',
    'self.d',
    'self.big',
    'self.s',
    'self.e',
    'self.t',
    'self.u',
    'self.l',
    'self.m',
    'self.z',
    'self',
  ],
  ...[
    '1',
    '-9223372036854775808',
    '9223372036854775807',
    '0',
    '3u',
    '1.5',
    '1e308',
    '"a"',
    '"[a-z]+"',
    '"("',
    'b"\\xff"',
  ],
  ...[
    'true',
    'false',
    'null',
    '[]',
    '{}',
    'int',
    'x',
    'y',
    '"https://a.example:80/p?q=1"',
    '"Europe/Berlin"',
  ],
];

/** Creates a deterministic source of pseudo-random integers. */
function lots(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function createExpression(draw: (below: number) => number, depth: number): string {
  const from = depth === 0 || draw(4) === 0 ? leaves : shapes;
  const shape = from[draw(from.length)] ?? 'self';
  return from === leaves
    ? shape
    : shape.replace(/_(?![a-z])(?<![a-z]_)/g, () => `(${createExpression(draw, depth - 1)})`);
}

/** Creates a program; undefined for invalid expressions or patterns. */
function compileProgram(text: string, folds: boolean): Program | undefined {
  try {
    const program = createProgram(parseExpression(text), { variables: ['self'], folds });
    return program instanceof CelError ? undefined : program;
  } catch (error) {
    assert.ok(error instanceof ExpressionError, `${text}: ${String(error)}`);
    return undefined;
  }
}

describe('any expression', () => {
  it('has a result or an error, a deterministic cost, and exceeds its budget by at most one step', () => {
    const draw = lots(20);
    let programs = 0;
    for (let count = 0; count < expressions; count++) {
      const text = createExpression(draw, 3);
      const program = compileProgram(text, draw(2) === 0);
      if (program === undefined) continue;
      programs++;
      const first = program.evaluate([valueFromJson(self)], 1_000_000);
      const second = program.evaluate([valueFromJson(self)], 1_000_000);
      assert.equal(first.cost, second.cost, text);
      assert.equal(first.isHalted, second.isHalted, text);
      const message = first.value instanceof CelError ? first.value.message : '';
      assert.doesNotMatch(message, /internal error/, text);
      if (first.cost < longestFollowed) assertHalts(program, { text, total: first.cost, budget: draw(20) });
    }
    assert.ok(programs > expressions / 2, String(programs));
  });
});

/** Asserts that a budget halts the program at the first step beyond it; increasing budgets find the steps. */
function assertHalts(
  program: Program,
  { text, total, budget }: { text: string; total: number; budget: number },
): void {
  const run = (most: number) => program.evaluate([valueFromJson(self)], most);
  let cost = 0;
  while (cost <= budget && cost < total) {
    const before = cost;
    const step = run(before);
    assert.equal(step.isHalted, true, text);
    assert.ok(step.cost > before, text);
    cost = step.cost;
  }
  const tight = run(budget);
  assert.equal(tight.isHalted, total > budget, text);
  assert.equal(tight.cost, Math.max(cost, tight.isHalted ? 0 : total), text);
}
