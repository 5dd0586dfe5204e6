import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '@binnacle/api-types';
import { createAddressPool, parseAddressRanges } from './address-pool.ts';
import { pickFree } from './pool.ts';
import { createPortPool, parsePortRange } from './port-pool.ts';

function addresses(text: string) {
  const range = parseCidr(text);
  assert.ok(range);
  return createAddressPool(range);
}

const ranges = [
  { range: '10.96.0.0/12', size: 2 ** 20 - 2, firstDynamic: 256, first: '10.96.0.1', last: '10.111.255.254' },
  { range: '10.96.0.0/24', size: 254, firstDynamic: 16, first: '10.96.0.1', last: '10.96.0.254' },
  { range: '10.96.7.9/20', size: 4094, firstDynamic: 256, first: '10.96.0.1', last: '10.96.15.254' },
  { range: '10.96.0.0/28', size: 14, firstDynamic: 14, first: '10.96.0.1', last: '10.96.0.14' },
  { range: '10.96.0.0/29', size: 6, firstDynamic: 0, first: '10.96.0.1', last: '10.96.0.6' },
  {
    range: 'fd00:10:96::/112',
    size: 65_535,
    firstDynamic: 256,
    first: 'fd00:10:96::1',
    last: 'fd00:10:96::ffff',
  },
  { range: '::/120', size: 255, firstDynamic: 16, first: '::1', last: '::ff' },
];

for (const { range, size, firstDynamic, first, last } of ranges)
  test(`the addresses of ${range}`, () => {
    const pool = addresses(range);
    assert.deepEqual(
      [pool.size, pool.firstDynamic, pool.valueAt(0), pool.valueAt(size - 1)],
      [size, firstDynamic, first, last],
    );
    for (const offset of [0, 1, size >> 1, size - 1])
      assert.equal(pool.offsetOf(pool.valueAt(offset)), offset, pool.valueAt(offset));
  });

test('addresses outside a range are not in it', () => {
  const pool = addresses('10.96.0.0/24');
  for (const value of ['10.96.0.0', '10.96.0.255', '10.95.255.255', '10.96.1.1', '::1', 'None', ''])
    assert.equal(pool.offsetOf(value), undefined, value);
});

test('invalid ranges for cluster IPs are refused', () => {
  assert.equal(parseAddressRanges(['10.0.0.0/24', 'fd00::/108']).length, 2);
  for (const refused of [
    [],
    ['x'],
    ['10.0.0.0/11'],
    ['10.0.0.0/30'],
    ['fd00::/107'],
    ['10.0.0.0/24', '10.1.0.0/24'],
    ['10.0.0.0/24', 'fd00::/108', '10.1.0.0/24'],
  ])
    assert.throws(() => parseAddressRanges(refused), Error, refused.join());
});

test('ranges of ports', () => {
  const pool = createPortPool(parsePortRange('30000-30002'));
  assert.deepEqual([pool.size, pool.valueAt(2)], [3, '30002']);
  assert.deepEqual(['30000', '30002', '29999', '30003', '-1', 'x'].map(pool.offsetOf), [
    0,
    2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  for (const refused of ['', '30000', '2-1', '0-5', '1-65536', '1-x', '1-2-3'])
    assert.throws(() => parsePortRange(refused), Error, refused);
});

test('an allocation prefers the dynamic part, and fails when all values are in use', () => {
  const pool = addresses('10.96.0.0/27');
  for (const random of [() => 0, () => 0.999_999, Math.random]) {
    const taken = new Set<number>();
    const picked: number[] = [];
    for (;;) {
      const offset = pickFree(pool, candidate => taken.has(candidate), random);
      if (offset === undefined) break;
      assert.ok(!taken.has(offset));
      taken.add(offset);
      picked.push(offset);
    }
    assert.equal(picked.length, 30);
    assert.ok(picked.slice(0, 14).every(offset => offset >= 16));
  }
});
