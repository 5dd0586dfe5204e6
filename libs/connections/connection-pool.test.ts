import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { Connection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';

function createPool(
  counts: Readonly<Record<string, number>>,
  isEvictable: (c: Connection) => boolean = () => true,
) {
  const asked = { times: 0 };
  const pool = new ConnectionPool({
    isEvictable(connection) {
      asked.times++;
      return isEvictable(connection);
    },
    rank: connection => connection.idleSince,
  });
  let acceptedAt = 0;
  for (const [address, count] of Object.entries(counts))
    for (let i = 0; i < count; i++)
      pool.add(new Connection({ tcp: new Socket(), address, headerBytes: 0, acceptedAt: acceptedAt++ }));
  return { pool, asked };
}

/** Evicts for newcomers of these addresses, one after the other; returns the evicted connections. */
function evicted(pool: ConnectionPool, newcomers: readonly string[]): string[] {
  return newcomers.map(newcomer => {
    const victim = pool.victimFor(newcomer, 10_000);
    if (victim === undefined) return 'refused';
    pool.delete(victim);
    pool.add(new Connection({ tcp: new Socket(), address: newcomer, headerBytes: 0, acceptedAt: 10_000 }));
    return `${victim.address}/${victim.acceptedAt}`;
  });
}

test('the longest idle connection of the address with the most connections is evicted', () => {
  const { pool } = createPool({ few: 2, most: 5, some: 3 });
  assert.deepEqual(evicted(pool, ['new', 'new', 'few', 'new']), ['most/2', 'most/3', 'most/4', 'few/0']);
  assert.equal(pool.size, 10);
});

test('an address cannot evict a connection of an address with as few', () => {
  const { pool } = createPool({ a: 3, b: 3 }, ({ address }) => address === 'b');
  assert.deepEqual(evicted(pool, ['a', 'c', 'a', 'b']), ['refused', 'b/3', 'refused', 'b/4']);
});

test('a new connection can evict one of its own address', () => {
  const { pool } = createPool({ a: 3, b: 1 });
  assert.deepEqual(evicted(pool, ['a']), ['a/0']);
  assert.equal(pool.sizeOf('a'), 3);
});

test('a connection that was chosen and became busy is not evicted', () => {
  let busy = -1;
  const { pool } = createPool({ a: 200 }, ({ acceptedAt }) => acceptedAt !== busy);
  assert.deepEqual(evicted(pool, ['b']), ['a/0']);
  busy = 1;
  assert.deepEqual(evicted(pool, ['b']), ['a/2']);
});

test('many new connections do not cause a search of all connections for each', () => {
  const size = 6_400;
  const { pool, asked } = createPool({ a: size / 2, b: size / 2 });
  const flood = Array.from({ length: size / 4 }, (_, i) => `stranger-${i}`);
  assert.equal(evicted(pool, flood).includes('refused'), false);
  assert.ok(asked.times / flood.length < 100, `${asked.times} questions for ${flood.length} newcomers`);
});

test('while all connections are busy, new ones are refused without a search for each', () => {
  const { pool, asked } = createPool({ a: 1_000 }, () => false);
  const flood = Array.from({ length: 1_000 }, () => 'stranger');
  assert.deepEqual(new Set(evicted(pool, flood)), new Set(['refused']));
  assert.equal(asked.times, 1_000);
});
