import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import type { CallContext } from '@binnacle/proto';
import { ApiNamesRefusal } from '@binnacle/rpc';
import { apiNamesKey, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { type ApiNamesRecord, assertRestored, encodeApiNames, readApiNames } from './api-names-record.ts';

/** The names of a store that has objects but no record: earlier releases had these names alone. */
const unwritten: Vocabulary = 'cluster';

const everyObject = storageKeyFrom('/');

/**
 * Makes sure that a store has the API names of this process: writes them into a store without a record, and throws an ApiNamesRefusal
 * with the names of the store and the remedy where it has others. Of two processes that open an empty store at once, one writes.
 */
export async function settleApiNames(
  storage: Storage,
  call: CallContext,
  own: Vocabulary = vocabulary,
): Promise<void> {
  const found = (await readApiNames(storage, call)).record;
  if (found !== undefined) return assertSame(found, own);
  const isEmpty = (await storage.list({ prefix: everyObject, limit: 1 }, call)).records.length === 0;
  const first: ApiNamesRecord = { apiNames: isEmpty ? own : unwritten };
  // Checked before the write: a refused store stays unchanged.
  assertSame(first, own);
  const { committed } = await storage.transact(
    {
      preconditions: [{ key: apiNamesKey, revision: 0 }],
      puts: [{ key: apiNamesKey, value: encodeApiNames(first) }],
      deletes: [],
    },
    call,
  );
  if (!committed) await settleApiNames(storage, call, own);
}

function assertSame(record: ApiNamesRecord, own: Vocabulary): void {
  assertRestored(record);
  const { apiNames, convertingTo } = record;
  if (convertingTo !== undefined)
    throw new ApiNamesRefusal(
      `the conversion of the store to --api-names=${convertingTo} is not finished: run "binnaclectl names convert --to=${convertingTo}" again`,
    );
  if (apiNames !== own)
    throw new ApiNamesRefusal(
      `the store has --api-names=${apiNames}, and this process --api-names=${own}: start it with --api-names=${apiNames}, or convert the store with "binnaclectl names convert --to=${own}"`,
    );
}
