import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureMachineUse, measureStolenTime } from './stolen-time.ts';

test('stolen time is the share of all processors since the measurement began', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stolen-time-'));
  const file = join(folder, 'stat');
  try {
    await writeFile(file, 'cpu  100 0 50 800 10 0 20 20 0 0\ncpu0 1 2 3\n');
    const stolen = measureStolenTime(file);
    const use = measureMachineUse(file);
    assert.equal(stolen(), 0);
    await writeFile(file, 'cpu  110 0 60 860 10 0 30 30 5 5\ncpu0 1 2 3\n');
    assert.equal(stolen(), 0.1);
    assert.deepEqual(use(), { busy: 0.4, stolen: 0.1 });
    assert.equal(measureStolenTime(join(folder, 'none'))(), 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
