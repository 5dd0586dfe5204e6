import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCallContext } from '@binnacle/rpc';
import type { StorageKey } from '@binnacle/storage-contract';
import { type EmbeddedStorage, openEmbeddedStorage } from './embedded-storage.ts';

const pods = '/core/pods/' as StorageKey;
const configMaps = '/core/configmaps/' as StorageKey;

async function open(): Promise<{ readonly storage: EmbeddedStorage } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-store-'));
  const storage = await openEmbeddedStorage({ directory });
  return {
    storage,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

async function put(storage: EmbeddedStorage, prefix: StorageKey, name: string): Promise<number> {
  using call = createCallContext({ timeoutMs: 60_000 });
  const key = `${prefix}t/${name}` as StorageKey;
  const puts = [{ key, value: Buffer.from('{}') }];
  return (await storage.transact({ preconditions: [], puts, deletes: [] }, call)).revision;
}

test('the current revision is that of the last acknowledged write, also after earlier reads', async () => {
  await using opened = await open();
  const { storage } = opened;
  assert.equal(storage.currentRevision(pods), 0);
  for (let i = 0; i < 20; i++) {
    const revision = await put(storage, i % 3 === 0 ? configMaps : pods, `one-${i}`);
    for (let repeated = 0; repeated < 2; repeated++) {
      assert.equal(storage.currentRevision(i % 3 === 0 ? configMaps : pods), revision);
      assert.equal(storage.currentRevision(undefined), revision);
    }
  }
});

test('the current revision is not behind any acknowledged write while others are in progress', async () => {
  await using opened = await open();
  const { storage } = opened;
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; i < 20; i++) {
      const revision = await put(storage, pods, `${writer}-${i}`);
      assert.ok(storage.currentRevision(pods) >= revision);
      await new Promise(resolve => setImmediate(resolve));
      assert.ok(storage.currentRevision(pods) >= revision);
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
  using call = createCallContext({ timeoutMs: 60_000 });
  assert.equal(storage.currentRevision(pods), await storage.typeRevision(pods, call));
});

test('a closed store has no current revision', async () => {
  const opened = await open();
  await put(opened.storage, pods, 'one');
  opened.storage.currentRevision(pods);
  await opened[Symbol.asyncDispose]();
  assert.throws(() => opened.storage.currentRevision(pods), { kind: 'unavailable' });
});
