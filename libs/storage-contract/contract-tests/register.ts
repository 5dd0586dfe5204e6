import type { Storage } from '../storage.ts';
import { batchTests } from './batch-tests.ts';
import { callTests } from './call-tests.ts';
import { changesTests } from './changes-tests.ts';
import { compactTests } from './compact-tests.ts';
import { concurrencyTests } from './concurrency-tests.ts';
import type { ContractTest } from './contract-test.ts';
import { listTests } from './list-tests.ts';
import { transactTests } from './transact-tests.ts';

/** A new instance of an implementation, without object keys or reserved keys. */
export interface StorageUnderTest extends AsyncDisposable {
  readonly storage: Storage;
}

const tests: { readonly [method: string]: readonly ContractTest[] } = {
  transact: transactTests,
  'concurrent transactions': concurrencyTests,
  'transactions that are committed as one': batchTests,
  list: listTests,
  changes: changesTests,
  compact: compactTests,
  'calls that end early': callTests,
};

/** Registers the specification of `Storage` as tests of one implementation; calls `create` for each test. */
export function registerStorageContractTests(name: string, create: () => Promise<StorageUnderTest>): void {
  // Loaded here so that services that import this package do not load the test runner.
  const { describe, it } = process.getBuiltinModule('node:test');
  // Sequential regardless of outer settings: some tests put maximum load on a store.
  describe(`storage contract: ${name}`, { timeout: 300_000, concurrency: 1 }, () => {
    for (const [method, cases] of Object.entries(tests)) {
      describe(method, () => {
        for (const { behaviour, run } of cases) {
          it(behaviour, { timeout: 60_000 }, async () => {
            await using subject = await create();
            await run(subject.storage);
          });
        }
      });
    }
  });
}
