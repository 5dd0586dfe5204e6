import type { ApiObject } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import { conflict, StatusError, serverTimeout } from '@binnacle/status-errors';
import type { StorageKey, StorageRecord } from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ApiRequest, ApiResult } from '../../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../../request/names.ts';
import { isLongWrite, yieldBetweenSteps } from '../../request/yield-between-steps.ts';
import { type Allocation, allocationFor } from '../allocation/allocation.ts';
import type { Allocators } from '../allocation/allocator.ts';
import {
  type CurrentObject,
  type CurrentServices,
  currentFromRecord,
  currentToDelete,
  findCached,
  keyOfRequest,
} from './current-object.ts';
import { RetryBudget } from './retry-budget.ts';
import { type Reviewed, type ReviewServices, reviewWrite } from './review.ts';
import { type StoringServices, storedChange } from './stored-change.ts';
import { type Change, type CommitOutcome, commitWrite } from './transaction.ts';
import { type KeyLocks, ObjectLock, ReviewLock } from './write-locks.ts';

/** The services of every write. */
export interface WriteServices extends ReviewServices, CurrentServices, StoringServices {
  /** Allocators of the values that objects leave to the server. */
  readonly allocators: Allocators;
  /** Locks for writes that conflict with each other. */
  readonly writeLocks: KeyLocks;
  readonly watchCache: WatchCache;
}

/** One write: where it starts, and one attempt at it. */
export interface Write {
  /** Whether the preconditions are only read, in place of the commit. */
  readonly dryRun: boolean;
  readonly start: WriteStart;
  /**
   * Computes what admission reviews from the current object; undefined: there is none. Called once, and anew where
   * another write changed the object. The engine owns the object of the proposal from then on. Throws the StatusError
   * that refuses the write. It writes nothing, and computes everything from its argument.
   */
  attempt(current: CurrentObject | undefined): Proposal | EarlyAnswer | Promise<Proposal | EarlyAnswer>;
}

/** The source of the current object of the first attempt, and the effect of another write that was faster. */
type WriteStart =
  /** There is no current object: one is created. */
  | { readonly from: 'nothing'; readonly whenTaken: WhenTaken }
  /**
   * The cache, or the write before in the queue; the store where both have none, or the cache not at the version that
   * the client names. A refusal, or an unchanged object, counts only when the store has the object at the same
   * revision.
   */
  | { readonly from: 'cache'; readonly version?: string | undefined }
  | { readonly from: 'store' }
  /**
   * The source of `cache`, in the version that the object is stored in: only its metadata counts. The first object may
   * be `listed`.
   */
  | { readonly from: 'metadata'; readonly key: StorageKey; readonly listed?: CurrentObject | undefined }
  /** No stored object is under review: `change` reads what it changes, and reads it anew when that has changed. */
  | { readonly from: 'review' };

/**
 * Decides on a new object whose name is taken: throws AlreadyExists, or returns for another attempt under another
 * name. `current` is the object that has the name, where it is known.
 */
type WhenTaken = (
  taken: { readonly object: ApiObject; readonly current: StorageRecord | undefined },
  budget: RetryBudget,
) => Promise<void>;

/** An answer that needs neither a review nor a commit. */
interface EarlyAnswer {
  readonly answer: ApiResult;
}

/** A write as admission reviews it. */
export type Proposal = ObjectProposal | DeletionProposal;

interface ProposedWrite {
  /** The name of the object; '' for none. */
  readonly name: string;
  /** JSON of the options of the request, for admission. */
  readonly options: string;
  /** Warnings for the client, before those of admission, once the write is done. */
  readonly warnings?: readonly string[];
}

interface ObjectProposal extends ProposedWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  /** The object under review. The engine puts the allocated values into it, and removes them before another review. */
  readonly object: ApiObject;
  /** The stored object; undefined for a creation. */
  readonly old?: CurrentObject | undefined;
  /** The former subresource, where it is of another kind; in place of `old`. */
  readonly oldObject?: ApiObject | undefined;
  /**
   * Returns the change to commit for the reviewed object; default: the object itself, in place of `old`. Called after
   * each review, and anew where an object of its joint writes changed.
   */
  readonly change?: (reviewed: ApiObject) => Promise<Change>;
}

interface DeletionProposal extends ProposedWrite {
  readonly operation: 'DELETE';
  readonly object: undefined;
  readonly old: CurrentObject;
  readonly oldObject?: undefined;
  /** Returns the change to commit; called as that of an object. */
  readonly change: () => Promise<Change>;
}

/** The object that an attempt starts from. */
interface Basis {
  readonly current: CurrentObject | undefined;
  /** Whether it may be out of date. */
  readonly isCached: boolean;
}

interface Proposed {
  readonly basis: Basis;
  readonly proposal: Proposal;
  /** Undefined for kinds without allocated values. */
  readonly allocation: Allocation | undefined;
}

/** The step at which a write goes on. */
type Step =
  | { readonly from: 'attempt'; readonly basis: Basis }
  | { readonly from: 'review'; readonly proposed: Proposed }
  | { readonly from: 'change'; readonly proposed: Proposed; readonly reviewed: Reviewed };

type Failure = Extract<CommitOutcome, { readonly kind: 'failed' }>;

/**
 * Runs a write to its answer: read, attempt, allocate, review, change, commit; and when the commit failed, the meaning
 * of the precondition that failed decides the next step. Throws the StatusError that the request is answered with: a
 * refusal, or spent retries.
 */
export function runWrite(request: ApiRequest, services: WriteServices, write: Write): Promise<ApiResult> {
  return new WriteRun(request, services, write).toAnswer();
}

class WriteRun {
  readonly #request: ApiRequest;
  readonly #services: WriteServices;
  readonly #write: Write;
  /** Created when the write has to wait for another, or failed: most writes need neither budget nor locks. */
  #budget: RetryBudget | undefined;
  #reviewLock: ReviewLock | undefined;
  #objectLock: ObjectLock | undefined;
  /** The lock of the object of a joint write that another write changed. */
  #jointLock: ObjectLock | undefined;
  #hasRead = false;

  constructor(request: ApiRequest, services: WriteServices, write: Write) {
    this.#request = request;
    this.#services = services;
    this.#write = write;
  }

  async toAnswer(): Promise<ApiResult> {
    try {
      const holding = this.#hold();
      if (holding !== undefined) await holding;
      const reading = this.#read();
      let step: Step = { from: 'attempt', basis: reading instanceof Promise ? await reading : reading };
      for (;;) {
        try {
          const next: Step | EarlyAnswer = await this.#run(step);
          if ('answer' in next) return next.answer;
          step = next;
        } catch (thrown) {
          step = await this.#unlessCurrent(step, thrown);
        }
      }
    } finally {
      this.#reviewLock?.[Symbol.dispose]();
      this.#jointLock?.[Symbol.dispose]();
      this.#objectLock?.[Symbol.dispose]();
    }
  }

  /** Locks the object of the write; undefined, without a promise, where no other write holds it. */
  #hold(): Promise<void> | undefined {
    const { start } = this.#write;
    if (start.from === 'nothing') return undefined;
    const { definition, info, call } = this.#request;
    const key =
      start.from === 'metadata' ? start.key : objectKey(definition, namespaceOf(this.#request), info.name);
    this.#objectLock = new ObjectLock(this.#services.writeLocks, call);
    return this.#objectLock.tryHold(key) ? undefined : this.#objectLock.hold(key);
  }

  /** Reads the object that the write starts from, once, and again after a wait for other writes. */
  #read(): Basis | Promise<Basis> {
    const { start } = this.#write;
    const isFirst = !this.#hasRead;
    this.#hasRead = true;
    switch (start.from) {
      case 'nothing':
      case 'review':
        return { current: undefined, isCached: false };
      case 'cache':
        return this.#readCached(start.version) ?? this.#readStored();
      case 'store':
        return this.#readStored();
      case 'metadata':
        return isFirst && start.listed !== undefined
          ? { current: start.listed, isCached: false }
          : (this.#readCached(undefined) ?? this.#readStored());
    }
  }

  #readCached(version: string | undefined): Basis | Promise<Basis> | undefined {
    const left = this.#objectLock?.left;
    const metadataAlone = this.#write.start.from === 'metadata';
    const record =
      left === undefined
        ? findCached(this.#request, this.#services, { version, metadataAlone })
        : left.record;
    if (record === undefined && left === undefined) return undefined;
    const cached = record && this.#currentFrom(record);
    return cached instanceof Promise
      ? cached.then(current => ({ current, isCached: true }))
      : { current: cached, isCached: true };
  }

  async #readStored(): Promise<Basis> {
    const { start } = this.#write;
    const key = start.from === 'metadata' ? start.key : keyOfRequest(this.#request);
    const { record } = await this.#services.storage.get(key, this.#request.call);
    return { current: record && (await this.#currentFrom(record)), isCached: false };
  }

  /** A record as the object that an attempt starts from. */
  #currentFrom(record: StorageRecord): CurrentObject | Promise<CurrentObject> {
    return this.#write.start.from === 'metadata'
      ? currentToDelete(this.#request.definition, record)
      : currentFromRecord(this.#request, this.#services, record);
  }

  async #run(step: Step): Promise<Step | EarlyAnswer> {
    // The commit of the step before may have thrown.
    this.#objectLock?.noteCommit(false);
    let proposed: Proposed;
    if (step.from === 'attempt') {
      const { basis } = step;
      // In a collection a long object does not make the deletions of others long; a deletion works on metadata.
      if (basis.current !== undefined && this.#write.start.from !== 'metadata') {
        const { notes } = this.#request;
        notes.workBytes = Math.max(notes.workBytes, basis.current.stored.length);
        if (isLongWrite(this.#request)) await yieldBetweenSteps(this.#request);
      }
      const attempting = this.#write.attempt(basis.current);
      const proposal = attempting instanceof Promise ? await attempting : attempting;
      if ('answer' in proposal) return proposal;
      const allocation = allocationFor(this.#request, this.#services.allocators, proposal);
      proposed = { basis, proposal, allocation };
    } else proposed = step.proposed;
    const reviewing = step.from === 'change' ? step.reviewed : this.#review(proposed);
    const reviewed = reviewing instanceof Promise ? await reviewing : reviewing;
    const changing = this.#changeOf(proposed.proposal, reviewed);
    const change = changing instanceof Promise ? await changing : changing;
    const { write, dryRun = this.#write.dryRun } = change;
    if (write === undefined) {
      const newer = proposed.basis.isCached ? await this.#newerThan(proposed.basis) : undefined;
      return newer ?? this.#answerOf(change, 0, { proposed, reviewed });
    }
    const { storage } = this.#services;
    const { jointWrites, preconditions } = reviewed;
    const terms = {
      preconditions,
      jointWrites: write.object.put === undefined ? jointWrites.onRemoval : jointWrites.onStore,
    };
    this.#objectLock?.noteCommit(true);
    const outcome = await commitWrite(write, terms, { storage, call: this.#request.call, dryRun });
    this.#objectLock?.noteCommit(false);
    if (outcome.kind === 'failed') return await this.#afterFailure(outcome, proposed, reviewed);
    const { key, put } = write.object;
    if (!dryRun) this.#objectLock?.leave(put && { key, value: put, revision: outcome.revision });
    return this.#answerOf(change, outcome.revision, { proposed, reviewed });
  }

  #review(proposed: Proposed): Reviewed | Promise<Reviewed> {
    const { proposal, allocation } = proposed;
    // An update seldom changes objects that other reviews rely on: it waits only after a conflict.
    const isLocked = proposal.operation !== 'UPDATE' && this.#isReviewLocked();
    return isLocked || allocation !== undefined || isLongWrite(this.#request)
      ? this.#reviewInSteps(proposed, isLocked)
      : this.#reviewProposal(proposal, true);
  }

  async #reviewInSteps({ proposal, allocation }: Proposed, isLocked: boolean): Promise<Reviewed> {
    if (isLocked) await this.#contend();
    if (allocation !== undefined) await allocation.fill();
    const reviewed = await this.#reviewProposal(proposal, allocation === undefined);
    if (allocation !== undefined && reviewed.object !== undefined)
      await allocation.fillReviewed(reviewed.object);
    await yieldBetweenSteps(this.#request);
    return reviewed;
  }

  /** Reviews a proposal; `isFinal` says that nothing is set in the object after its review. */
  #reviewProposal(proposal: Proposal, isFinal: boolean): Reviewed | Promise<Reviewed> {
    const { operation, name, object, old, oldObject, options } = proposal;
    return reviewWrite<ApiObject | undefined>(this.#request, this.#services, {
      operation,
      name,
      object,
      old,
      oldObject,
      options,
      dryRun: this.#write.dryRun,
      isRetry: this.#reviewLock?.isContended === true,
      isStored: isFinal && proposal.change === undefined,
    });
  }

  #changeOf(proposal: Proposal, { object, stored }: Reviewed): Change | Promise<Change> {
    if (proposal.operation === 'DELETE') return proposal.change();
    const reviewed = object as ApiObject; // an object was under review
    if (proposal.change !== undefined) return proposal.change(reviewed);
    const { object: proposed, old } = proposal;
    return storedChange(this.#request, this.#services, { proposed, reviewed, stored, current: old });
  }

  async #afterFailure(failure: Failure, proposed: Proposed, reviewed: Reviewed): Promise<Step> {
    const { meaning } = failure;
    switch (meaning.kind) {
      case 'object':
        return await this.#afterOtherWrite(failure, proposed, reviewed);
      case 'joint-write': {
        await this.#retries().take('joint-write');
        this.#jointLock ??= new ObjectLock(this.#services.writeLocks, this.#request.call);
        await this.#jointLock.hold(failure.key);
        return { from: 'change', proposed, reviewed };
      }
      case 'admission':
        return await this.#reviewAnew(proposed);
      case 'reservation':
        return await this.#allocateAnew(proposed, meaning.reservation);
    }
  }

  /** Goes on after another write changed the object: the next attempt starts from the new state. */
  async #afterOtherWrite(failure: Failure, proposed: Proposed, reviewed: Reviewed): Promise<Step> {
    const { start } = this.#write;
    const current = await this.#changedObject(failure, proposed.basis);
    if (start.from === 'review') return { from: 'change', proposed, reviewed };
    if (start.from === 'nothing') {
      const object = reviewed.object as ApiObject; // a creation has one
      await start.whenTaken({ object, current }, this.#retries());
    }
    this.#reviewLock?.release();
    if (this.#objectLock?.isLost === true) {
      await this.#objectLock.reacquire();
      return { from: 'attempt', basis: await this.#read() };
    }
    const object =
      start.from === 'nothing' || current === undefined ? undefined : await this.#currentFrom(current);
    return { from: 'attempt', basis: { current: object, isCached: false } };
  }

  /** The record of the object that another write changed, read when the retry begins. */
  async #changedObject({ key, current }: Failure, { isCached }: Basis): Promise<StorageRecord | undefined> {
    this.#objectLock?.leave(current);
    // A cache that was behind does not show that several clients write the object.
    if (isCached || (await this.#retries().take('object')) !== 'after-pause') return current;
    const { record } = await this.#services.storage.get(key, this.#request.call);
    return record;
  }

  async #reviewAnew({ basis, proposal, allocation }: Proposed): Promise<Step> {
    await this.#contend();
    if ((await this.#retries().take('admission')) === 'none') {
      const { definition } = this.#request;
      throw serverTimeout(resourceNameOf(definition), proposal.operation.toLowerCase(), 1);
    }
    allocation?.undo();
    const anew = allocationFor(this.#request, this.#services.allocators, proposal);
    return { from: 'review', proposed: { basis, proposal, allocation: anew } };
  }

  async #allocateAnew(proposed: Proposed, reservation: string): Promise<Step> {
    const { allocation, proposal } = proposed;
    if (allocation === undefined) {
      const { definition } = this.#request;
      const value = reservation.slice(reservation.lastIndexOf('/') + 1);
      const name = proposal.object?.metadata.name ?? '';
      throw conflict(resourceNameOf(definition), name, `${value} is already allocated`);
    }
    allocation.undo();
    allocation.lost(reservation);
    await this.#retries().take('reservation');
    return { from: 'review', proposed };
  }

  /** Throws a refusal that was computed from the cache only when the store has the same object. */
  async #unlessCurrent(step: Step, thrown: unknown): Promise<Step> {
    const basis = step.from === 'attempt' ? step.basis : step.proposed.basis;
    if (!basis.isCached || !(thrown instanceof StatusError) || thrown.code >= 500) throw thrown;
    const newer = await this.#newerThan(basis);
    if (newer === undefined) throw thrown;
    return newer;
  }

  /** An attempt from the object that the store has, where the cached one that the write started from is out of date. */
  async #newerThan({ current }: Basis): Promise<Step | undefined> {
    const basis = await this.#readStored();
    // The cache does not say whether the stored object is stale.
    const isNews = basis.current?.isStale === true && current?.isStale !== true;
    if (basis.current?.revision === current?.revision && !isNews) return undefined;
    this.#reviewLock?.release();
    return { from: 'attempt', basis };
  }

  #answerOf(
    change: Change,
    revision: number,
    { proposed, reviewed }: { readonly proposed: Proposed; readonly reviewed: Reviewed },
  ): EarlyAnswer {
    const { warnings = [] } = proposed.proposal;
    this.#request.warnings.push(...warnings, ...reviewed.warnings);
    return { answer: change.answer(revision) };
  }

  #retries(): RetryBudget {
    this.#budget ??= new RetryBudget(this.#request.call);
    return this.#budget;
  }

  #reviewKey(): string {
    return `${this.#request.definition.storagePrefix}${namespaceOf(this.#request)}`;
  }

  /** Whether another write of the type and namespace holds the lock of reviews. */
  #isReviewLocked(): boolean {
    return this.#reviewLock?.isTaken ?? this.#services.writeLocks.isHeld(this.#reviewKey());
  }

  async #contend(): Promise<void> {
    this.#reviewLock ??= new ReviewLock(this.#services.writeLocks, this.#reviewKey(), this.#request.call);
    await this.#reviewLock.contend();
  }
}
