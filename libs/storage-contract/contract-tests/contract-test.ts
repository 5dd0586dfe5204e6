import assert from 'node:assert/strict';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import { type Revision, type StorageKey, storageKeyFrom } from '../keys.ts';
import type { Change, ChangeBatch, ChangesStart, Precondition, Storage } from '../storage.ts';
import { isStorageError, type StorageErrorKind } from '../storage-error.ts';

/** One behaviour of the contract. */
export interface ContractTest {
  readonly behaviour: string;
  readonly run: (storage: Storage) => Promise<void>;
}

/** Creates a call with a deadline of 30 s. */
export function call(signal: AbortSignal = new AbortController().signal): CallContext {
  return { signal, deadline: deadlineIn(30_000) };
}

/** Returns the key of a ConfigMap. */
export function key(name: string, namespace = 'ns'): StorageKey {
  return storageKeyFrom(`/core/configmaps/${namespace}/${name}`);
}

/** The type prefix of those keys. */
export const configmaps = storageKeyFrom('/core/configmaps/');

/** Encodes a text as bytes. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Decodes bytes as text. */
export function text(value: Uint8Array | undefined): string {
  return Buffer.from(value ?? []).toString();
}

/** A write of a test. */
export interface Write {
  readonly when?: readonly Precondition[];
  readonly put?: { readonly [key: string]: string | Uint8Array };
  readonly remove?: readonly StorageKey[];
}

/** Runs a transaction and returns its outcome. */
export function attempt(storage: Storage, { when = [], put = {}, remove = [] }: Write) {
  const puts = Object.entries(put).map(([name, value]) => ({
    key: storageKeyFrom(name),
    value: typeof value === 'string' ? bytes(value) : value,
  }));
  return storage.transact({ preconditions: when, puts, deletes: remove }, call());
}

/** Runs a transaction that must commit and returns its revision. */
export async function commit(storage: Storage, write: Write): Promise<Revision> {
  const outcome = await attempt(storage, write);
  assert.ok(outcome.committed, 'the transaction was to commit');
  return outcome.revision;
}

/** Runs a transaction that must fail and returns the failed precondition and the current record. */
export async function refuse(storage: Storage, write: Write) {
  const outcome = await attempt(storage, write);
  assert.ok(!outcome.committed, 'the transaction was not to commit');
  return outcome;
}

/** Asserts that a promise rejects with a storage error of one of the kinds. */
export async function rejectsWith(promise: Promise<unknown>, ...kinds: StorageErrorKind[]): Promise<void> {
  await assert.rejects(promise, (thrown: unknown) => {
    assert.ok(isStorageError(thrown), `a StorageError, not ${String(thrown)}`);
    assert.ok(kinds.includes(thrown.kind), `${thrown.kind} is one of ${kinds}: ${thrown.message}`);
    return true;
  });
}

/** Reads batches of a stream of changes, up to and including the first one for which `enough` holds. */
export async function batchesUntil(
  storage: Storage,
  start: ChangesStart,
  enough: (batches: readonly ChangeBatch[]) => boolean,
): Promise<ChangeBatch[]> {
  const controller = new AbortController();
  const batches: ChangeBatch[] = [];
  try {
    for await (const batch of storage.changes(start, call(controller.signal))) {
      batches.push(batch);
      if (enough(batches)) return batches;
    }
  } finally {
    controller.abort();
  }
  throw new Error('the stream of changes ended');
}

/** Reads every change after a start up to a revision, and checks the order and guarantees of the batches. */
export async function changesUpTo(storage: Storage, start: ChangesStart, end: Revision): Promise<Change[]> {
  const batches = await batchesUntil(storage, start, seen => (seen.at(-1)?.revision ?? 0) >= end);
  let reached = 0;
  for (const batch of batches) {
    assert.ok(batch.revision >= reached, 'batches come in revision order');
    for (const change of batch.changes) {
      assert.ok(change.revision > reached, 'no change up to a batch’s revision comes after it');
      assert.ok(change.revision <= batch.revision, 'a batch’s revision covers its changes');
    }
    reached = batch.revision;
  }
  const changes = batches.flatMap(batch => batch.changes);
  assertOrdered(changes);
  return changes;
}

/** Asserts that changes are in revision order without duplicates. */
export function assertOrdered(changes: readonly Change[]): void {
  const seen = new Set<string>();
  let revision = 0;
  for (const change of changes) {
    assert.ok(change.revision >= revision, 'changes come in revision order');
    revision = change.revision;
    const identity = `${change.revision} ${change.key}`;
    assert.ok(!seen.has(identity), `once only: ${identity}`);
    seen.add(identity);
  }
}

/** Formats a change for comparison. */
export function inShort(change: Change): string {
  const { type, revision, key, value, previousValue } = change;
  return `${revision} ${type} ${key} ${text(previousValue)}>${text(value)}`;
}
