import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { isStorageError, storageKeyFrom } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { runCompaction } from './run-compaction.ts';

const prefix = storageKeyFrom('/core/configmaps/');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });

test('history is kept for one window and then compacted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-compaction-'));
  const storage = await openEmbeddedStorage({ directory });
  const stop = new AbortController();
  const historyWindow = 400;
  const write = async (value: string): Promise<number> => {
    const puts = [{ key: storageKeyFrom('/core/configmaps/ns/a'), value: Buffer.from(value) }];
    return (await storage.transact({ preconditions: [], puts, deletes: [] }, call())).revision;
  };
  const readable = async (atRevision: number): Promise<boolean> => {
    try {
      await storage.list({ prefix, atRevision }, call());
      return true;
    } catch (thrown) {
      assert.ok(isStorageError(thrown, 'compacted'));
      return false;
    }
  };
  const compacting = runCompaction({ storage, historyWindow, log: silentLogger }, stop.signal);
  const old = await write('one');
  const replacedAt = performance.now();
  const current = await write('two');
  for (;;) {
    // Asked for before the answer is known: a state that was current within the window must still be there.
    const age = performance.now() - replacedAt;
    if (!(await readable(old))) {
      assert.ok(performance.now() - replacedAt >= historyWindow);
      break;
    }
    assert.ok(age < 30_000, 'the old state is forgotten in the end');
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  assert.ok(await readable(current));
  stop.abort();
  await compacting;
  await storage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});
