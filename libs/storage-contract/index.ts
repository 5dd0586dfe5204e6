export { decodeFeedRecord, encodeFeedRecord } from './feed-record.ts';
export {
  apiNamesKey,
  findStorageKey,
  isReservedKey,
  maxKeyBytes,
  type Revision,
  reservationPrefix,
  type StorageKey,
  storageKeyFrom,
  storeFormKey,
  typePrefixFromKey,
  typeRevisionKey,
  typeRevisionPrefix,
} from './keys.ts';
export { listPages } from './list-pages.ts';
export { MalformedRequest } from './malformed-request.ts';
export { controlTypes, partitionOf } from './partition.ts';
export { recoverTransaction } from './recover-transaction.ts';
export { remoteStorage } from './remote-storage.ts';
export { spaceProblem } from './space-problem.ts';
export type {
  Change,
  ChangeBatch,
  ChangesStart,
  ListQuery,
  Precondition,
  RecordPage,
  Storage,
  StorageRecord,
  StoreSpace,
  Transaction,
  TransactionOutcome,
} from './storage.ts';
export { isStorageError, StorageError } from './storage-error.ts';
export { statusErrorFromStorageError } from './storage-error-status.ts';
export { checkTransaction, maxTransactionBytes } from './transaction-limits.ts';
export {
  changeBatchToWire,
  listQueryFromWire,
  outcomeToWire,
  ownBytes,
  pageToWire,
  recordToWire,
  transactionFromWire,
  watchEventFromChange,
} from './wire.ts';
