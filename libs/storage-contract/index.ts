export {
  claimPrefix,
  isReservedKey,
  maxKeyBytes,
  type Revision,
  type StorageKey,
  storageKeyFrom,
  typePrefixOf,
  typeRevisionKey,
  typeRevisionPrefix,
} from './keys.ts';
export type {
  Change,
  ChangeBatch,
  ChangesStart,
  ListQuery,
  Precondition,
  RecordPage,
  Storage,
  StorageRecord,
  Transaction,
  TransactionOutcome,
} from './storage.ts';
export { isStorageError, StorageError, type StorageErrorKind } from './storage-error.ts';
