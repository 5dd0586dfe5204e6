import type { CallContext } from '@binnacle/proto';
import {
  type Precondition,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
  type TransactionOutcome,
} from '@binnacle/storage-contract';

/** One object's way from one state to the next, with everything that must become true together. */
export interface ObjectChange {
  readonly key: StorageKey;
  /** The revision that the object is at; 0 when it does not exist. */
  readonly from: Revision;
  /** The bytes to store; undefined removes the object. */
  readonly put: Uint8Array | undefined;
  /** Other keys, and the revisions that they must be at. */
  readonly required: readonly Precondition[];
  /** Keys of the unique things that the object held before, and holds after. */
  readonly claimsBefore: readonly string[];
  readonly claimsAfter: readonly string[];
  /** What admission has change together with it. */
  readonly companions: readonly ObjectWrite[];
}

/** An object's next state, for a transaction that changes several. */
export interface ObjectWrite {
  readonly key: StorageKey;
  /** The revision that the object is at. */
  readonly from: Revision;
  /** The bytes to store; undefined removes the object. */
  readonly put: Uint8Array | undefined;
}

/** One object's change with changes of others. */
export interface JointChange extends ObjectChange {
  readonly together: readonly ObjectWrite[];
}

/** How a commit ended. */
export type CommitOutcome =
  /** `revision` is 0 in a dry run. */
  | { readonly kind: 'committed'; readonly revision: Revision }
  /** The object is not at the revision any more; `current` is what it is now. */
  | { readonly kind: 'object-changed'; readonly current: StorageRecord | undefined }
  /** Something that admission relied on changed, or something that was to change with the object. */
  | { readonly kind: 'required-changed' }
  /** Another object holds something that this one claims. */
  | { readonly kind: 'claim-taken'; readonly claim: string };

/** How a commit of several objects ended. */
export type JointOutcome =
  | CommitOutcome
  /** One of the objects that were to change with the first one is not at its revision any more. */
  | { readonly kind: 'other-changed' };

interface CommitContext {
  readonly call: CallContext;
  readonly dryRun: boolean;
}

/**
 * Commits a change in one transaction: the object by compare-and-swap, what admission relied on and has change with it,
 * and the difference of the claims. A claim's value is the key of the object that holds it. A dry run reads the preconditions instead.
 */
export async function commitChange(
  change: ObjectChange,
  storage: Storage,
  context: CommitContext,
): Promise<CommitOutcome> {
  const outcome = await commitJointly({ ...change, together: [] }, storage, context);
  if (outcome.kind === 'other-changed')
    throw new Error('a precondition failed that the change does not have');
  return outcome;
}

/** Commits a change as `commitChange` does, and changes of other objects, each by compare-and-swap, with it. */
export async function commitJointly(
  change: JointChange,
  storage: Storage,
  { call, dryRun }: CommitContext,
): Promise<JointOutcome> {
  const before = new Set(change.claimsBefore);
  const after = new Set(change.claimsAfter);
  const claimed = [...after].filter(claim => !before.has(claim)).map(storageKeyFrom);
  const released = [...before].filter(claim => !after.has(claim)).map(storageKeyFrom);
  const preconditions = [
    { key: change.key, revision: change.from },
    ...change.required,
    ...change.companions.map(({ key, from }) => ({ key, revision: from })),
    ...claimed.map(key => ({ key, revision: 0 })),
    ...change.together.map(({ key, from }) => ({ key, revision: from })),
  ];
  const outcome = dryRun
    ? await checkByReading(preconditions, storage, call)
    : await storage.transact(transactionOf(change, preconditions, { claimed, released }), call);
  if (outcome.committed) return { kind: 'committed', revision: dryRun ? 0 : outcome.revision };
  const failed = outcome.failedPrecondition;
  if (failed === 0) return { kind: 'object-changed', current: outcome.current };
  const reliedOn = change.required.length + change.companions.length;
  if (failed <= reliedOn) return { kind: 'required-changed' };
  const claim = claimed[failed - 1 - reliedOn];
  return claim === undefined ? { kind: 'other-changed' } : { kind: 'claim-taken', claim };
}

function transactionOf(
  change: JointChange,
  preconditions: readonly Precondition[],
  claims: { readonly claimed: readonly StorageKey[]; readonly released: readonly StorageKey[] },
) {
  const holder = Buffer.from(change.key);
  const writes: readonly Pick<ObjectWrite, 'key' | 'put'>[] = [
    change,
    ...change.companions,
    ...change.together,
  ];
  return {
    preconditions,
    puts: [
      ...writes.flatMap(({ key, put }) => (put === undefined ? [] : [{ key, value: put }])),
      ...claims.claimed.map(key => ({ key, value: holder })),
    ],
    deletes: [...writes.flatMap(({ key, put }) => (put === undefined ? [key] : [])), ...claims.released],
  };
}

async function checkByReading(
  preconditions: readonly Precondition[],
  storage: Storage,
  call: CallContext,
): Promise<TransactionOutcome> {
  for (const [failedPrecondition, { key, revision }] of preconditions.entries()) {
    const { record, revision: seen } = await storage.get(key, call);
    if ((record?.revision ?? 0) !== revision)
      return { committed: false, revision: seen, failedPrecondition, current: record };
  }
  return { committed: true, revision: 0 };
}
