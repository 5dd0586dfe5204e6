import type { ApiObject } from '@binnacle/api-objects';
import type { Operation } from '@binnacle/proto';
import type { StorageRecord } from '@binnacle/storage-contract';
import type { CurrentObject } from './current-object.ts';
import type { LeftRecord } from './key-locks.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { Reviewed } from './review.ts';
import type { PlannedWrite } from './transaction.ts';

/** What a write starts from. */
export interface Basis {
  /**
   * It comes from the watch cache and may be out of date: a refusal, or finding that there is nothing to change, counts only
   * once `confirm` says that it is the current one; a commit proves it. Default false.
   */
  readonly isCached?: boolean;
}

/** A write as admission is asked about it. */
export interface Proposal {
  readonly operation: Extract<Operation, 'CREATE' | 'UPDATE' | 'DELETE'>;
  /** The name of the object; '' for none. */
  readonly name: string;
  /**
   * The object under review; undefined for a deletion. The engine puts into it what the server allocates, and takes that
   * out again before another review.
   */
  readonly object: ApiObject | undefined;
  /** The stored object; undefined for a creation. */
  readonly old?: CurrentObject;
  /** What a subresource of another kind makes of the stored object; in place of `old`. */
  readonly oldObject?: ApiObject;
  /** JSON of the options of the request, as admission is to see them. */
  readonly options: string;
  /** For the client, before those of admission, once the write is done. */
  readonly warnings?: readonly string[];
}

/** An answer that needs neither a review nor a commit. */
export interface EarlyAnswer<R> {
  readonly answer: R;
}

/** A proposal that admission lets pass. */
export interface Admitted<B extends Basis, P extends Proposal> {
  readonly basis: B;
  readonly proposal: P;
  /** With what the server allocates. */
  readonly reviewed: Reviewed<P['object']>;
}

/** What a write does, and how it is answered. */
export interface PlannedChange<R> {
  /** Undefined: there is nothing to change. */
  readonly write: PlannedWrite | undefined;
  /** Whether it is a dry run after what admission made of the request; default: as the plan says. */
  readonly dryRun?: boolean;
  /** `revision` is that of the transaction; 0 in a dry run, and where there was nothing to write. */
  answer(revision: number): R;
}

/** What a plan decides on when its commit failed. */
export type PlanFailure =
  /** The object is no longer at its revision; `current` is what it has become, undefined when it is gone. */
  | { readonly kind: 'object'; readonly current: StorageRecord | undefined }
  /** An object of the plan's joint writes is no longer at its revision. */
  | { readonly kind: 'joint-write' };

/** Where a write goes on after a commit that failed. */
export type Retry<B extends Basis> =
  /** With a new proposal, from this basis. */
  | { readonly from: 'basis'; readonly basis: B }
  /** With another change under the review that there is. */
  | { readonly from: 'change' };

/**
 * One write, as the engine runs it: read what, compute what, review as what, answer how.
 *
 * `runWrite` calls the methods in this order, and each of them anew wherever a commit that failed leads back to it:
 *
 * ```
 * read -> propose -> (allocate, review, guard) -> change -> (commit) -> answer
 *           ^                ^                      ^           |
 *           |                |                      |         failed: object       -> retryAfter
 *           |                |                      |                 joint write  -> retryAfter
 *           |                +----------------------|---------------- admission, claim
 *           +---------------------------------------+---------------- as retryAfter says
 * ```
 *
 * A method throws the StatusError that the request is answered with; no method writes. Nothing that a method did counts
 * until the commit has: whatever is computed must be computed from the arguments.
 */
export interface WritePlan<B extends Basis, P extends Proposal, R> {
  /** Everything happens but the commit, in place of which the preconditions are read. */
  readonly dryRun: boolean;

  /**
   * The storage key of the object that the write changes, if there is one: writes with the same key go one after another,
   * from `read` to the commit. Default: a write that waits for no other.
   */
  readonly objectKey?: string;

  /**
   * Reads what the write starts from. Called once, and anew where the write had to wait for others in between. `left` is
   * what the write before in the queue has left of the object; undefined when that is not known. It may be out of date.
   */
  read(left: LeftRecord | undefined): Promise<B>;

  /**
   * Computes what to ask admission about. Called once for each basis. The object of the proposal is the engine's from then
   * on. Throws what refuses the write before admission is asked.
   */
  propose(basis: B): Promise<P | EarlyAnswer<R>>;

  /**
   * Says what is written of what admission let pass, and how that is answered. Called after each review, and after
   * `retryAfter` said so. What is read here is read after the review.
   */
  change(admitted: Admitted<B, P>): Promise<PlannedChange<R>>;

  /**
   * Decides on a commit that failed: says where to go on, or throws the answer. The engine has waited where another write
   * was faster; a generated name is taken from the budget here. What admission relied on and claims are the engine's to retry.
   */
  retryAfter(failure: PlanFailure, admitted: Admitted<B, P>, budget: RetryBudget): Promise<Retry<B>>;

  /**
   * The basis itself when the store has the object at the same revision, else the basis that the store has. Only for plans
   * that start from the cache; called with cached bases only.
   */
  confirm?(basis: B): Promise<B>;
}
