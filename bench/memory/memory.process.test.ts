import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureMemory } from './measure-memory.ts';

test('each moment reports the memory of the server, and its parts add up to the total', async () => {
  const rows = await measureMemory({
    objects: 200,
    objectBytes: 20_000,
    updates: 50,
    connections: 4,
    settleMs: 0,
  });
  assert.deepEqual(
    rows.map(({ when }) => when),
    ['started', 'created', 'updated', 'listed by label'],
  );
  for (const row of rows) {
    const parts = row.heapUsed + row.heapUnused + row.buffers + row.others;
    assert.ok(Math.abs(parts - row.anonymous) <= 4, JSON.stringify(row));
    assert.ok(Math.abs(row.anonymous + row.files - row.collected) <= 2, JSON.stringify(row));
  }
  // Objects of 20 KB, which the cache holds.
  assert.ok((rows[1]?.buffers ?? 0) - (rows[0]?.buffers ?? 0) >= 3);
});
