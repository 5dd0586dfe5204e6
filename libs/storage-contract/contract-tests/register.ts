import type { Storage } from '../storage.ts';
import { batchTests } from './batch-tests.ts';
import { callTests } from './call-tests.ts';
import { changesTests } from './changes-tests.ts';
import { compactTests } from './compact-tests.ts';
import { concurrencyTests } from './concurrency-tests.ts';
import type { ContractTest } from './contract-test.ts';
import { listTests } from './list-tests.ts';
import { transactTests } from './transact-tests.ts';

/** One implementation, freshly made, with no key below `/` and none reserved. */
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

/** Registers the specification of `Storage` as tests of one implementation; `create` is called for each of them. */
export function registerStorageContractTests(name: string, create: () => Promise<StorageUnderTest>): void {
  // Looked up here so that services that import this package do not load the test runner.
  const { describe, it } = process.getBuiltinModule('node:test');
  // One after the other whatever is around them: some keep a store as busy as they can.
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
