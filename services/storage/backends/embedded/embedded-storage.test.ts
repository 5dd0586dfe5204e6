import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { openEmbeddedStorage } from './embedded-storage.ts';

registerStorageContractTests('embedded', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-store-'));
  const storage = await openEmbeddedStorage({ directory });
  return {
    storage,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
});
