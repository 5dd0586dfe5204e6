import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { printerColumns } from '../custom/printer-columns.ts';
import { valuesAt } from './json-path.ts';
import { parseJsonPath } from './json-path-parser.ts';

const object: JsonValue = {
  metadata: { labels: { 'a.b/c': 'x' } },
  spec: {
    list: [1, 2, 3, 4],
    named: [
      { n: 'a', v: 1 },
      { n: 'b', v: 2, w: true },
    ],
    map: { p: 1, q: { r: 2 } },
  },
};

const cases: [path: string, values: JsonValue[]][] = [
  ['.spec.list', [[1, 2, 3, 4]]],
  ['.spec.none', []],
  ['.spec.list.length', []],
  ['.metadata.constructor', []],
  ["['spec']['list'][0]", [1]],
  ['.spec.list[-1]', [4]],
  ['.spec.list[9]', []],
  ['.spec.list[1:3]', [2, 3]],
  ['.spec.list[:2]', [1, 2]],
  ['.spec.list[::2]', [1, 3]],
  ['.spec.list[0,2]', [1, 3]],
  ['.spec.list[*]', [1, 2, 3, 4]],
  ['.spec.map.*', [1, { r: 2 }]],
  ["['metadata'].labels['a.b/c']", ['x']],
  ['.metadata.labels.a\\.b/c', ['x']],
  ['.spec.named[*].n', ['a', 'b']],
  ['.spec.named[?(@.n=="b")].v', [2]],
  ["[ 'spec' ].named[?( @.n == 'b' )].v", [2]],
  ['.spec.named[?(@.v>1)].n', ['b']],
  ['.spec.named[?(@.v<=1)].n', ['a']],
  ['.spec.named[?(@.n!="a")].n', ['b']],
  ['.spec.named[?(@.w)].n', ['b']],
  ['.spec.named[?(@.w==true)].n', ['b']],
  ['..r', [2]],
];
for (const [path, values] of cases)
  test(`${path} selects ${JSON.stringify(values)}`, () => {
    const parsed = parseJsonPath(path);
    assert.ok(!('fault' in parsed), JSON.stringify(parsed));
    assert.deepEqual(valuesAt(parsed, object), values);
  });

for (const path of [
  '.',
  '.a..',
  '.a[',
  '.a[x]',
  '.a[?(@.b]',
  ".a['b]",
  'a b',
  '.a[?(@.b==c)]',
  `.${'a'.repeat(2000)}`,
])
  test(`${JSON.stringify(path.slice(0, 20))} is an invalid path`, () =>
    assert.ok('fault' in parseJsonPath(path)));

/** Creates a tree of the given depth whose objects have `width` members each. */
function tree(width: number, depth: number): JsonObject {
  const members = Array.from({ length: width }, (_, i) => [
    `m${i}`,
    depth === 0 ? 'x' : tree(width, depth - 1),
  ]);
  return Object.fromEntries(members);
}

test('a path visits no more values than its limit, however its steps multiply', () => {
  const value = tree(4, 5);
  for (const text of [
    '..m0..m1..m2',
    '..*',
    '..[*]..[*]..[*]',
    '..[?(@..m3=="y")]',
    '..[?(@..m0..m1..m2)]',
  ]) {
    const path = parseJsonPath(text);
    if ('fault' in path) throw new Error(path.fault);
    for (const given of [10, 1_000, 50_000]) {
      const steps = { left: given };
      const values = valuesAt(path, value, steps);
      assert.ok(steps.left > -50, `${text}: ${given - steps.left} visits of ${given}`);
      if (steps.left < 0) assert.deepEqual(values, [], text);
    }
  }
});

test('the columns of a row and the rows of a table have common limits of visits, beyond which cells are empty', () => {
  const columns = ['.spec.a', '..m0..m1..m2', '.spec.a'].map((jsonPath, i) => ({
    name: `c${i}`,
    type: 'string',
    jsonPath,
  }));
  const { cells } = printerColumns(columns);
  const object = (width: number, depth: number) => ({
    apiVersion: 'a/v1',
    kind: 'A',
    metadata: { name: 'n' },
    spec: { a: 'x', tree: tree(width, depth) },
  });
  assert.deepEqual(cells?.(object(2, 1), 0), ['n', 'x', null, 'x']);
  assert.deepEqual(cells?.(object(6, 5), 0), ['n', 'x', null, null]);
  const work = { left: 30_000 };
  assert.deepEqual(cells?.(object(6, 5), 0, work), ['n', 'x', null, null]);
  assert.ok(work.left > 0 && work.left < 15_000, String(work.left));
  cells?.(object(6, 5), 0, work);
  assert.ok(work.left < 0, String(work.left));
  assert.deepEqual(cells?.(object(2, 1), 0, work), ['n', null, null, null]);
});

test('the length of a cell is limited', () => {
  const { cells } = printerColumns([{ name: 'c', type: 'string', jsonPath: '..*' }]);
  const object = (length: number) => ({
    apiVersion: 'a/v1',
    kind: 'A',
    metadata: { name: 'n' },
    a: 'x'.repeat(length),
  });
  assert.equal(typeof cells?.(object(1_000), 0)[1], 'string');
  assert.equal(cells?.(object(1_000_000), 0)[1], null);
});
