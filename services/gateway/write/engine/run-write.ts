import { conflict, StatusError, serverTimeout } from '@binnacle/status-errors';
import type { StorageRecord } from '@binnacle/storage-contract';
import { type Allocation, allocationFor } from '../../allocation/allocation.ts';
import type { Allocators } from '../../allocation/allocator.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../../request/names.ts';
import { isLongWrite, restBetweenSteps } from '../../request/rest-between-steps.ts';
import type { KeyLocks } from './key-locks.ts';
import { ObjectLock } from './object-lock.ts';
import { RetryBudget } from './retry-budget.ts';
import { type Reviewed, type ReviewServices, reviewWrite } from './review.ts';
import { ReviewLock } from './review-lock.ts';
import { type CommitOutcome, commitWrite, type PlannedWrite } from './transaction.ts';
import type {
  Admitted,
  Basis,
  EarlyAnswer,
  PlanFailure,
  PlannedChange,
  Proposal,
  WritePlan,
} from './write-plan.ts';

/** What the engine works with; plans have their own. */
export interface EngineServices extends ReviewServices {
  /** What gives objects what they leave to the server. */
  readonly allocators: Allocators;
  /** Locks for writes that got in each other's way. */
  readonly writeLocks: KeyLocks;
}

/** Where a write goes on. */
type Step<B extends Basis, P extends Proposal> =
  | { readonly from: 'basis'; readonly basis: B }
  | { readonly from: 'review'; readonly proposed: Proposed<B, P> }
  | { readonly from: 'change'; readonly proposed: Proposed<B, P>; readonly reviewed: Reviewed<P['object']> };

interface Proposed<B extends Basis, P extends Proposal> {
  readonly basis: B;
  readonly proposal: P;
  /** Undefined for kinds that are given nothing. */
  readonly allocation: Allocation | undefined;
}

interface Attempted<B extends Basis, P extends Proposal> {
  readonly proposed: Proposed<B, P>;
  readonly admitted: Admitted<B, P>;
}

type Next<B extends Basis, P extends Proposal, R> = Step<B, P> | EarlyAnswer<R>;
type Failure = Extract<CommitOutcome, { readonly kind: 'failed' }>;

/**
 * Runs a write to its answer: propose, allocate, review, change, commit; and when the commit failed, what its failed
 * precondition means decides where to go on. Throws the StatusError that the request is answered with: a refusal, or
 * that the retries of the write are spent.
 */
export async function runWrite<B extends Basis, P extends Proposal, R>(
  request: ApiRequest,
  services: EngineServices,
  plan: WritePlan<B, P, R>,
): Promise<R> {
  using run = new WriteRun(request, services, plan);
  return await run.toAnswer();
}

class WriteRun<B extends Basis, P extends Proposal, R> implements Disposable {
  readonly #request: ApiRequest;
  readonly #services: EngineServices;
  readonly #plan: WritePlan<B, P, R>;
  readonly #budget: RetryBudget;
  readonly #lock: ReviewLock;
  readonly #objectLock: ObjectLock;
  /** Of the object of a joint write that another write changed; made when that happens. */
  #jointLock: ObjectLock | undefined;

  constructor(request: ApiRequest, services: EngineServices, plan: WritePlan<B, P, R>) {
    this.#request = request;
    this.#services = services;
    this.#plan = plan;
    this.#budget = new RetryBudget(request.call);
    const key = `${request.definition.storagePrefix}${namespaceOf(request)}`;
    this.#lock = new ReviewLock(services.writeLocks, key, request.call);
    this.#objectLock = new ObjectLock(services.writeLocks, request.call);
  }

  async toAnswer(): Promise<R> {
    const { objectKey } = this.#plan;
    // A write that no other one is in the way of makes no promise for the lock.
    if (objectKey !== undefined && !this.#objectLock.tryHold(objectKey))
      await this.#objectLock.hold(objectKey);
    let next: Next<B, P, R> = { from: 'basis', basis: await this.#plan.read(this.#objectLock.left) };
    while (!('answer' in next)) next = await this.#unlessOutdated(next);
    return next.answer;
  }

  /** A refusal of what was computed from the cache counts only when the store has the same. */
  async #unlessOutdated(step: Step<B, P>): Promise<Next<B, P, R>> {
    const basis = step.from === 'basis' ? step.basis : step.proposed.basis;
    if (basis.isCached !== true) return await this.#attempt(step);
    try {
      return await this.#attempt(step);
    } catch (thrown) {
      if (!(thrown instanceof StatusError) || thrown.code >= 500) throw thrown;
      const newer = await this.#newerThan(basis);
      if (newer === undefined) throw thrown;
      return newer;
    }
  }

  async #attempt(step: Step<B, P>): Promise<Next<B, P, R>> {
    const proposed = step.from === 'basis' ? await this.#propose(step.basis) : step.proposed;
    if ('answer' in proposed) return proposed;
    const { basis, proposal } = proposed;
    const reviewed = step.from === 'change' ? step.reviewed : await this.#review(proposed);
    const admitted = { basis, proposal, reviewed };
    const planned = await this.#plan.change(admitted);
    if (planned.write === undefined)
      return (await this.#newerThan(basis)) ?? this.#answerOf(planned, 0, admitted);
    const { write, dryRun = this.#plan.dryRun } = planned;
    const outcome = await this.#commit(write, reviewed, dryRun);
    if (outcome.kind === 'failed') return await this.#afterFailure(outcome, { proposed, admitted });
    const { key, put } = write.object;
    if (!dryRun) this.#objectLock.leave(put && { key, value: put, revision: outcome.revision });
    return this.#answerOf(planned, outcome.revision, admitted);
  }

  async #propose(basis: B): Promise<Proposed<B, P> | EarlyAnswer<R>> {
    const proposal = await this.#plan.propose(basis);
    if ('answer' in proposal) return proposal;
    return { basis, proposal, allocation: allocationFor(this.#request, this.#services.allocators, proposal) };
  }

  async #review({ proposal, allocation }: Proposed<B, P>): Promise<Reviewed<P['object']>> {
    // An update seldom changes what others rely on: it does not wait before it has to.
    if (proposal.operation !== 'UPDATE' && this.#lock.isTaken) await this.#lock.contend();
    if (allocation !== undefined) await allocation.fill();
    const { warnings: _, ...subject } = proposal;
    const reviewed = await reviewWrite<P['object']>(this.#request, this.#services, {
      ...subject,
      dryRun: this.#plan.dryRun,
      isRetry: this.#lock.isContended,
    });
    if (allocation !== undefined && reviewed.object !== undefined)
      await allocation.fillReviewed(reviewed.object);
    if (isLongWrite(this.#request)) await restBetweenSteps(this.#request);
    return reviewed;
  }

  #commit(
    write: PlannedWrite,
    { preconditions, jointWrites }: Reviewed,
    dryRun: boolean,
  ): Promise<CommitOutcome> {
    const terms = {
      preconditions,
      jointWrites: write.object.put === undefined ? jointWrites.onRemoval : jointWrites.onStore,
    };
    const { storage } = this.#services;
    const { call } = this.#request;
    return commitWrite(write, terms, { storage, call, dryRun });
  }

  async #afterFailure(failure: Failure, attempted: Attempted<B, P>): Promise<Step<B, P>> {
    const { meaning } = failure;
    switch (meaning.kind) {
      case 'object': {
        const current = await this.#changedObject(failure, attempted.proposed.basis);
        return await this.#retryOfPlan({ kind: 'object', current }, attempted);
      }
      case 'joint-write':
        await this.#budget.take('joint-write');
        this.#jointLock ??= new ObjectLock(this.#services.writeLocks, this.#request.call);
        await this.#jointLock.hold(failure.key);
        return await this.#retryOfPlan({ kind: 'joint-write' }, attempted);
      case 'admission':
        return await this.#reviewAnew(attempted.proposed);
      case 'claim':
        return await this.#allocateAnew(attempted.proposed, meaning.claim);
    }
  }

  /** The object that another write changed, as it is when the retry begins. */
  async #changedObject({ key, current }: Failure, basis: B): Promise<StorageRecord | undefined> {
    this.#objectLock.leave(current);
    // A cache that was behind says nothing of how many write the object.
    if (basis.isCached === true || (await this.#budget.take('object')) !== 'after-pause') return current;
    const { record } = await this.#services.storage.get(key, this.#request.call);
    return record;
  }

  async #retryOfPlan(failure: PlanFailure, { proposed, admitted }: Attempted<B, P>): Promise<Step<B, P>> {
    const retry = await this.#plan.retryAfter(failure, admitted, this.#budget);
    if (retry.from === 'change') return { from: 'change', proposed, reviewed: admitted.reviewed };
    this.#lock.release();
    if (!this.#objectLock.isLost) return retry;
    await this.#objectLock.holdAgain();
    return { from: 'basis', basis: await this.#plan.read(this.#objectLock.left) };
  }

  async #reviewAnew({ basis, proposal, allocation }: Proposed<B, P>): Promise<Step<B, P>> {
    await this.#lock.contend();
    if ((await this.#budget.take('admission')) === 'none') {
      const { definition } = this.#request;
      throw serverTimeout(resourceNameOf(definition), proposal.operation.toLowerCase(), 1);
    }
    allocation?.undo();
    const anew = allocationFor(this.#request, this.#services.allocators, proposal);
    return { from: 'review', proposed: { basis, proposal, allocation: anew } };
  }

  async #allocateAnew(proposed: Proposed<B, P>, claim: string): Promise<Step<B, P>> {
    const { allocation, proposal } = proposed;
    if (allocation === undefined) {
      const { definition } = this.#request;
      const value = claim.slice(claim.lastIndexOf('/') + 1);
      const name = proposal.object?.metadata.name ?? '';
      throw conflict(resourceNameOf(definition), name, `${value} is already allocated`);
    }
    allocation.undo();
    allocation.lost(claim);
    await this.#budget.take('claim');
    return { from: 'review', proposed };
  }

  /** The basis that the store has, where the one that the write started from is out of date. */
  async #newerThan(basis: B): Promise<Step<B, P> | undefined> {
    if (basis.isCached !== true) return undefined;
    const confirmed = await this.#plan.confirm?.(basis);
    if (confirmed === undefined || confirmed === basis) return undefined;
    this.#lock.release();
    return { from: 'basis', basis: confirmed };
  }

  #answerOf(planned: PlannedChange<R>, revision: number, admitted: Admitted<B, P>): EarlyAnswer<R> {
    const { warnings = [] } = admitted.proposal;
    this.#request.warnings.push(...warnings, ...admitted.reviewed.warnings);
    return { answer: planned.answer(revision) };
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
    this.#jointLock?.[Symbol.dispose]();
    this.#objectLock[Symbol.dispose]();
  }
}
