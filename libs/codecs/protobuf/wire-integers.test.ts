import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberFromInteger } from '@binnacle/api-objects';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** Reference encoding of a varint: groups of seven bits, the lowest first. */
function encodeVarint(integer: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, integer);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

const powers = Array.from({ length: 63 }, (_, power) => 2n ** BigInt(power));
const integers = [
  0n,
  ...powers.flatMap(one => [one - 1n, one, -one, -one - 1n]),
  2n ** 63n - 1n,
  -(2n ** 63n),
];

test('integers of 64 bits are written as varints and read back unchanged', () => {
  const writer = new WireWriter();
  for (const integer of integers) {
    const value = numberFromInteger(integer);
    writer.integer(value);
    const bytes = writer.finish();
    assert.deepEqual([...bytes], encodeVarint(integer), String(integer));
    assert.equal(new WireReader(bytes).int64(), value);
  }
});

test('an integer beyond 53 bits is refused where a number is expected', () => {
  const bytes = Buffer.from(encodeVarint(2n ** 53n));
  assert.throws(() => new WireReader(bytes).integer(), { message: /an integer is too large/ });
  assert.equal(new WireReader(Buffer.from(encodeVarint(-5n))).integer(), -5);
});
