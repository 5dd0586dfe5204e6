import { isReservedKey, maxKeyBytes, type StorageKey, typePrefixFromKey } from './keys.ts';
import { MalformedRequest } from './malformed-request.ts';
import type { Transaction } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** Maximum bytes of keys and values in one transaction: etcd's default limit minus its framing. */
export const maxTransactionBytes = 1_500_000;

/** Maximum number of preconditions, and of writes including type revisions, in one transaction. */
const maxTransactionOperations = 127;

/**
 * Validates a transaction and returns the prefixes of the object types that it writes, each once.
 *
 * Throws a StorageError `too-large` if it exceeds a limit, and MalformedRequest if it contradicts itself: a key twice among puts
 * and deletes, or a precondition with a negative or fractional revision.
 */
export function checkTransaction(transaction: Transaction): readonly StorageKey[] {
  const { preconditions, puts, deletes } = transaction;
  const writes = puts.length + deletes.length;
  // Most transactions write one object.
  const written = writes > 1 ? new Set<StorageKey>() : undefined;
  let types: StorageKey[] | undefined;
  let bytes = 0;
  const note = (key: StorageKey): void => {
    if (written?.has(key)) throw new MalformedRequest(`a transaction writes ${key.slice(0, 80)} twice`);
    written?.add(key);
    bytes += key.length;
    if (isReservedKey(key)) return;
    const type = typePrefixFromKey(key);
    if (types === undefined) types = [type];
    else if (!types.includes(type)) types.push(type);
  };
  for (const put of puts) {
    note(put.key);
    bytes += put.value.length;
  }
  for (const key of deletes) note(key);
  for (const { key, revision } of preconditions) {
    bytes += key.length;
    if (!Number.isSafeInteger(revision) || revision < 0) {
      throw new MalformedRequest(
        `the precondition on ${key.slice(0, maxKeyBytes)} has no revision: ${revision}`,
      );
    }
  }
  const operations = Math.max(writes + (types?.length ?? 0), preconditions.length);
  if (operations > maxTransactionOperations) {
    throw new StorageError(
      'too-large',
      `${operations} operations in one transaction: limit is ${maxTransactionOperations}`,
    );
  }
  if (bytes > maxTransactionBytes) {
    throw new StorageError('too-large', `${bytes} bytes in one transaction: limit is ${maxTransactionBytes}`);
  }
  return types ?? [];
}
