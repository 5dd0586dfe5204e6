import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
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
  test(`${path} leads to ${JSON.stringify(values)}`, () => {
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
  test(`${JSON.stringify(path.slice(0, 20))} is no path`, () => assert.ok('fault' in parseJsonPath(path)));
