import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ThreadMeter } from './thread-load.ts';

suite('the load of a thread', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thread-load-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  test('is the share of time since the last measurement in which the thread waited for a processor', async () => {
    const file = join(folder, 'schedstat');
    await writeFile(file, '1000000 5000000 3\n');
    using meter = new ThreadMeter(file);
    await writeFile(file, '4000000 5500000 4\n');
    await delay(5);
    const { waited } = meter.load();
    assert.ok(waited > 0 && waited < 0.2, `0.5 ms of at least some 5: ${waited}`);
    assert.equal(meter.load().waited, 0, 'it did not wait');
    await writeFile(file, '4000000 900000000000 4\n');
    assert.equal(meter.load().waited, 1, 'never more than the time that passed');
  });

  for (const [what, text] of [
    ['does not exist', undefined],
    ['says something else', 'unknown\n'],
  ] as const)
    test(`has no waiting time if the file ${what}`, async () => {
      const file = join(folder, what);
      if (text !== undefined) await writeFile(file, text);
      using meter = new ThreadMeter(file);
      await writeFile(file, '1 2 3\n');
      assert.equal(meter.load().waited, 0);
    });

  test('is measured for this thread while its loop was busy', () => {
    using meter = new ThreadMeter();
    const end = performance.now() + 20;
    while (performance.now() < end);
    const { busy, waited } = meter.load();
    assert.ok(busy > 0 && busy <= 1, `busy ${busy}`);
    assert.ok(waited >= 0 && waited < 1, `waited ${waited}`);
  });
});
