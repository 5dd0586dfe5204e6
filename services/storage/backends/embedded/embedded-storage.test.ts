import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { openEmbeddedStorage } from './embedded-storage.ts';

async function openStore(continuedAfter: number) {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-store-'));
  const storage = await openEmbeddedStorage({ directory });
  await storage.continueAfter(continuedAfter);
  return {
    storage,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

registerStorageContractTests('embedded', () => openStore(0));
registerStorageContractTests('embedded, continued after a revision', () => openStore(Date.now() * 1000));
