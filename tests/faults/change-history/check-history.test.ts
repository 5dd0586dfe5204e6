import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHistory } from './check-history.ts';

const committed = [1, 2, 3].map(counter => ({
  resource: 'configmaps',
  name: 'a',
  counter,
  version: counter * 10,
}));
const seen = committed.map(({ name, counter, version }) => ({ name, counter, version }));

for (const [what, changes, faults] of [
  ['a complete history', seen, []],
  ['a change left out', [seen[0], seen[2]], ['a=2 at 20 was committed but not delivered']],
  [
    'a change twice',
    [seen[0], seen[1], seen[1], seen[2]],
    ['a=2 at 20 was delivered twice', '20 was delivered after 20'],
  ],
  ['two changes in the wrong order', [seen[1], seen[0], seen[2]], ['10 was delivered after 20']],
  [
    'a change from nowhere',
    [...seen, { name: 'a', counter: 4, version: 40 }],
    ['a=4 at 40 was delivered but never committed'],
  ],
] as const) {
  test(`the checker finds ${what}`, () => {
    assert.deepEqual(checkHistory(committed, changes as typeof seen), faults);
  });
}
