import {
  checkTransaction,
  isReservedKey,
  maxTransactionBytes,
  type StorageKey,
  type Transaction,
} from '@binnacle/storage-contract';
import { positions } from './revisions.ts';

/** A transaction as a member of a batch. */
export interface BatchMember {
  readonly transaction: Transaction;
  /** Prefixes of the object types that the transaction writes. */
  readonly types: readonly StorageKey[];
}

/** The limits of a request to etcd. */
export interface BatchLimits {
  /** Operations of a transaction, including those of its longest nested transaction: etcd's `--max-txn-ops`. */
  readonly operations: number;
  /** Bytes of a request: etcd's `--max-request-bytes`. */
  readonly bytes: number;
}

/** etcd's own defaults. */
export const defaultBatchLimits: BatchLimits = { operations: 128, bytes: 1_572_864 };

/** Bytes reserved for the framing of a request. */
const framingBytes = defaultBatchLimits.bytes - maxTransactionBytes;

/** Bytes of one operation besides its key and value. */
const operationBytes = 32;

/** Checks a transaction and creates the member of a batch from it; throws as `checkTransaction` does. */
export function batchMember(transaction: Transaction): BatchMember {
  return { transaction, types: checkTransaction(transaction) };
}

/**
 * Transactions that go to etcd as one. etcd checks the preconditions of all members before it writes anything. So no member writes a
 * key that another one writes or has as a precondition, and each has the outcome that it would have alone.
 */
export class Batch {
  readonly members: BatchMember[] = [];
  readonly types = new Set<StorageKey>();
  readonly #limits: BatchLimits;
  readonly #written = new Set<StorageKey>();
  readonly #reliedOn = new Set<StorageKey>();
  #bytes = 0;
  #longest = 0;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** Whether there is no room for another transaction. */
  get isFull(): boolean {
    return (
      this.members.length >= positions || this.#operations(this.members.length + 1) >= this.#limits.operations
    );
  }

  /** Whether the request has room for one more operation. */
  get hasRoomForTraces(): boolean {
    return this.#operations(this.members.length) + this.#longest < this.#limits.operations;
  }

  /**
   * Adds a transaction unless it conflicts with a member or exceeds a limit; the first one is always added. Returns whether it was
   * added.
   */
  tryAdd(member: BatchMember): boolean {
    const bytes = sizeOf(member.transaction);
    const longest = Math.max(this.#longest, countOperations(member.transaction));
    if (
      this.members.length > 0 &&
      (!this.#hasRoom(member, bytes, longest) || this.#conflicts(member.transaction))
    )
      return false;
    this.members.push(member);
    this.#bytes += bytes;
    this.#longest = longest;
    for (const type of member.types) this.types.add(type);
    for (const key of writtenBy(member.transaction)) this.#written.add(key);
    for (const { key } of member.transaction.preconditions) this.#reliedOn.add(key);
    return true;
  }

  #conflicts(transaction: Transaction): boolean {
    for (const key of writtenBy(transaction))
      if (this.#written.has(key) || this.#reliedOn.has(key)) return true;
    return transaction.preconditions.some(({ key }) => this.#written.has(key));
  }

  #hasRoom(member: BatchMember, bytes: number, longest: number): boolean {
    const { operations, bytes: maxBytes } = this.#limits;
    if (this.members.length >= positions || this.#bytes + bytes > maxBytes - framingBytes) return false;
    const newTypes = member.types.reduce((count, type) => count + Number(!this.types.has(type)), 0);
    return this.#operations(this.members.length + 1) + newTypes + longest <= operations;
  }

  /** Counts the operations of the outer transaction: one a member, the revision keys of the types, the bookmark. */
  #operations(members: number): number {
    return members + this.types.size + 1;
  }
}

/** Whether a transaction may cause no event of an object, since its deletions may find nothing. */
export function mayWriteNoObject({ preconditions, puts, deletes }: Transaction): boolean {
  if (puts.some(({ key }) => !isReservedKey(key))) return false;
  const objects = deletes.filter(key => !isReservedKey(key));
  const exists = (key: StorageKey): boolean =>
    preconditions.some(each => each.key === key && each.revision > 0);
  return objects.length > 0 && !objects.some(exists);
}

function* writtenBy({ puts, deletes }: Transaction): Iterable<StorageKey> {
  for (const { key } of puts) yield key;
  yield* deletes;
}

function sizeOf({ preconditions, puts, deletes }: Transaction): number {
  let bytes = 0;
  // A precondition has its key twice: in the comparison, and in the read of the actual record.
  for (const { key } of preconditions) bytes += 2 * (key.length + operationBytes);
  for (const { key, value } of puts) bytes += key.length + value.length + operationBytes;
  for (const key of deletes) bytes += 2 * (key.length + operationBytes);
  return bytes;
}

function countOperations({ preconditions, puts, deletes }: Transaction): number {
  return Math.max(preconditions.length, puts.length + deletes.length + 1);
}
