import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionOf, type Storage, StorageError } from '@binnacle/storage-contract';
import type { ChangeFeed } from '@binnacle/watch-cache';
import { createAdmission } from './create-admission.ts';
import { registeredPlugins } from './plugins/registered-plugins.ts';

test('admission follows control types only, whatever plugins are enabled', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly string[] | undefined>();
  const feed: ChangeFeed = {
    partitions: 8,
    partitionOf: prefix => partitionOf(prefix, 8),
    open: async (_onMessage, _signal, typePrefixes) => resolve(typePrefixes),
    readHistory: () => assert.fail('no client watches this cache'),
  };
  const away = async (): Promise<never> => {
    throw new StorageError('unavailable', 'away');
  };
  const storage: Storage = {
    get: away,
    list: away,
    transact: away,
    typeRevision: away,
    compact: away,
    async *changes() {},
  };
  await using _admission = createAdmission({
    storage,
    objects: { feed },
    webhookDispatch: { call: away } as unknown as Parameters<typeof createAdmission>[0]['webhookDispatch'], // Not called.
    plugins: {
      enableAdmissionPlugins: registeredPlugins
        .filter(({ configurable }) => !configurable)
        .map(({ name }) => name),
    },
  });
  const followed = await promise;
  assert.ok(followed && followed.length >= 12, String(followed));
  for (const prefix of followed) assert.equal(partitionOf(prefix, 8), 0, prefix);
});
