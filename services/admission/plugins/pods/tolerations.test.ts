import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Toleration } from '@binnacle/api-types/core/v1';
import { mergeTolerations, TolerationSet } from './tolerations.ts';

const everything: Toleration = { operator: 'Exists' };
const key: Toleration = { key: 'a', operator: 'Exists' };
const value: Toleration = { key: 'a', operator: 'Equal', value: 'x' };
const effect: Toleration = { ...value, effect: 'NoExecute' };
const lasting = (tolerationSeconds: number): Toleration => ({ ...effect, tolerationSeconds });

const covers: readonly (readonly [Toleration, Toleration, boolean])[] = [
  [everything, key, true],
  [key, everything, false],
  [key, value, true],
  [value, key, false],
  [value, { key: 'a', value: 'x' }, true],
  [value, { ...value, value: 'y' }, false],
  [value, effect, true],
  [effect, value, false],
  [{ ...key, key: 'b' }, value, false],
  [effect, lasting(5), true],
  [lasting(5), effect, false],
  [lasting(5), lasting(4), true],
  [lasting(4), lasting(5), false],
  [lasting(4), lasting(4), true],
];
for (const [wide, narrow, expected] of covers)
  test(`${JSON.stringify(wide)} ${expected ? 'covers' : 'does not cover'} ${JSON.stringify(narrow)}`, () => {
    assert.equal(new TolerationSet([wide]).covers(narrow), expected);
  });

test('a covered toleration is left out of a merged list, at any position', () => {
  assert.deepEqual(mergeTolerations([value, lasting(3)], [key, { key: 'b', operator: 'Exists' }]), [
    key,
    { key: 'b', operator: 'Exists' },
  ]);
  assert.deepEqual(mergeTolerations([value], [value]), [value]);
  assert.deepEqual(mergeTolerations([], []), []);
});

test('many tolerations are merged in linear time', () => {
  const keys = Array.from({ length: 12_000 }, (_, i): Toleration => ({ key: `k${i}`, operator: 'Exists' }));
  const times = Array.from({ length: 12_000 }, (_, i) => lasting(i));
  assert.deepEqual(mergeTolerations([...keys, ...times], [value]), [...keys, value]);
  assert.deepEqual(mergeTolerations(times, keys), [lasting(11_999), ...keys]);
});
