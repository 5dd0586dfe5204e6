import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLosses } from './find-losses.ts';

const collection = '/a';
const acknowledged = [1, 2, 'x'].map(key => ({ collection, key, dueAt: Number(key) || 0 }));

test('watches that see each acknowledged change once, and changes of unknown outcome alike, lose nothing', () => {
  const keys = [1, 2, 3, 'x'];
  assert.deepEqual(findLosses([{ collection, keys, watches: 5 }], acknowledged), {
    ...{ lost: 0, repeated: 0, acknowledged: [] },
  });
});

test('each watch that misses a change counts, whether it was acknowledged or another watch saw it', () => {
  const whole = { collection, keys: [1, 2, 3, 'x'], watches: 1 };
  const without = (...missing: (number | string)[]) => ({
    ...whole,
    keys: whole.keys.filter(key => !missing.includes(key)),
    watches: 4,
  });
  for (const [missing, lost] of [
    [[2], 4],
    [[3], 4],
    [[1, 'x'], 8],
  ] as const)
    assert.equal(findLosses([whole, without(...missing)], acknowledged).lost, lost, missing.join());
  const { lost, acknowledged: known } = findLosses([without(2, 3)], acknowledged);
  assert.deepEqual([lost, known.map(({ dueAt }) => dueAt)], [4, [2, 2, 2, 2]], 'no watch saw it');
});

test('a change that comes twice counts for each watch, and those of other collections do not matter', () => {
  const twice = { collection, keys: [1, 2, 1, 'x'], watches: 3 };
  const other = { collection: '/b', keys: [7], watches: 1 };
  const { lost, repeated } = findLosses([twice, other], acknowledged);
  assert.deepEqual([lost, repeated], [0, 3]);
});
