import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type CallContext, millisecondsUntil, noDeadline, type Span } from '@binnacle/proto';
import { createCallContext, onCallEnd } from '@binnacle/rpc';
import { errorMessage } from '@binnacle/status-errors';
import {
  isStorageError,
  StorageError,
  type Transaction,
  type TransactionOutcome,
} from '@binnacle/storage-contract';
import { assertWanted, cancelled, late } from '../call-limits.ts';
import { Batch, type BatchLimits, type BatchMember, batchMember, defaultBatchLimits } from './batch.ts';
import { BatchGuard } from './batch-guard.ts';
import { batchOutcomes } from './batch-outcomes.ts';
import { batchRequest } from './batch-request.ts';
import { encodeTraces, startTransactionSpans } from './batch-traces.ts';
import type { EtcdConnection } from './connection.ts';
import { isNoSpace, isRefusal, storageErrorFromEtcd } from './etcd-errors.ts';
import { type LostBatch, resolveLostReply } from './resolve-lost-reply.ts';

/** A transaction that waits for its outcome. */
interface Waiting {
  readonly member: BatchMember;
  readonly call: CallContext;
  /** The wait for the batch before; undefined: the call's trace is not recorded. */
  waitSpan: Span | undefined;
  isSent: boolean;
  /** Whether the caller no longer waits for the outcome. */
  hasGivenUp: boolean;
  resolve(outcome: TransactionOutcome): void;
  reject(error: unknown): void;
}

/**
 * Milliseconds within which a transaction is answered, including the wait for the batch before it and the search for a lost reply. Its
 * caller has waited a little before, and answers within 5 s.
 */
const answerWithinMs = 4500;

/** Transactions that may wait; more are refused, because etcd cannot keep up. */
const maxWaiting = 10_000;

/**
 * Commits transactions in batches: the transactions that arrive while a batch is under way form the next one. There is no timer: a
 * transaction that arrives while none is under way goes with those of the same turn of the event loop, which came in one message.
 *
 * A transaction whose caller ends the call while it waits is dropped. When the caller ends the call after the transaction was sent, the
 * caller gets an unknown outcome, and the batch goes on for the others. Each request reaches etcd at most once. A batch that lost its
 * reply and is not in the store is kept from committing late, and its transactions are sent again.
 */
export class GroupCommit {
  readonly #connection: EtcdConnection;
  readonly #limits: BatchLimits;
  readonly #guard: BatchGuard;
  readonly #waiting = new Set<Waiting>();
  #isUnderWay = false;

  constructor(connection: EtcdConnection, limits: BatchLimits = defaultBatchLimits) {
    this.#connection = connection;
    this.#guard = new BatchGuard(connection);
    this.#limits = limits;
  }

  /** Commits a transaction: see `Storage.transact`. Listens to the end of the call, because a race would cost two more promises. */
  transact(transaction: Transaction, wanted: CallContext): Promise<TransactionOutcome> {
    return new Promise((resolve, reject) => {
      const member = batchMember(transaction);
      if (this.#waiting.size >= maxWaiting)
        throw new StorageError('unavailable', `${maxWaiting} transactions wait for etcd already`);
      const call = createCallContext({ timeoutMs: answerWithinMs, parent: wanted });
      assertWanted(call);
      const waiting: Waiting = {
        member,
        call,
        waitSpan: undefined,
        isSent: false,
        hasGivenUp: false,
        resolve(outcome) {
          call[Symbol.dispose]();
          resolve(outcome);
        },
        reject(error) {
          call[Symbol.dispose]();
          reject(error);
        },
      };
      onCallEnd(call, () => {
        waiting.hasGivenUp = true;
        this.#waiting.delete(waiting);
        const reason = millisecondsUntil(call.deadline) <= 0 ? late() : cancelled();
        reject(waiting.isSent ? unknownOutcome(reason) : reason);
      });
      this.#enqueue(waiting);
    });
  }

  #enqueue(waiting: Waiting): void {
    const { trace } = waiting.call;
    if (trace?.isSampled === true) waiting.waitSpan = trace.start('wait for the batch');
    this.#waiting.add(waiting);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    void this.#run(); // Never rejects.
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      await turn();
      const batch = new Batch(this.#limits);
      const taken: Waiting[] = [];
      for (const waiting of this.#waiting) {
        if (batch.isFull) break;
        if (!batch.tryAdd(waiting.member)) continue;
        taken.push(waiting);
        this.#waiting.delete(waiting);
      }
      // All callers may have given up meanwhile.
      if (taken.length > 0) await this.#send(batch, taken);
    }
    this.#isUnderWay = false;
  }

  /** Sends a batch; returns when the next one may go. The search for the outcome of a lost reply does not delay other batches. */
  async #send(batch: Batch, taken: readonly Waiting[]): Promise<void> {
    const { layout } = this.#connection;
    let latest = taken[0]?.call.deadline ?? noDeadline;
    let isTraced = false;
    for (const { call } of taken) {
      if (call.deadline > latest) latest = call.deadline;
      if (call.trace?.isSampled === true) isTraced = true;
    }
    const call = { signal: neverAborts, deadline: latest };
    const guard = this.#guard;
    const traced = isTraced ? taken.map(waiting => waiting.call) : undefined;
    const traces = traced && encodeTraces(batch, traced);
    const identity = { id: randomUUID(), guard, guardRevision: guard.revision, traces };
    const { seenRevision: seenBefore } = this.#connection;
    for (const waiting of taken) {
      waiting.isSent = true;
      waiting.waitSpan?.end();
    }
    const spans = traced && startTransactionSpans(traced);
    try {
      const response = await this.#connection.txn(batchRequest(layout, batch, identity), call);
      if (spans !== undefined) for (const span of spans) span.end();
      const outcomes = batchOutcomes(layout, batch, identity, response);
      if (outcomes === undefined) await this.#followAndResend(taken, call);
      else settle(taken, outcomes);
    } catch (thrown) {
      if (spans !== undefined) for (const span of spans) endFailed(span, thrown);
      // etcd checks its quota a second time at the commit, and then reports no space for a request that it has committed.
      const isOver = isNoSpace(thrown);
      if (isRefusalByEtcd(thrown) && !isOver) await this.#refused(taken, storageErrorFromEtcd(thrown));
      else void this.#resolve(taken, { ...identity, batch, seenBefore, isOver }, call, thrown); // Never rejects.
    }
  }

  async #resolve(
    taken: readonly Waiting[],
    lost: LostBatch,
    call: CallContext,
    cause: unknown,
  ): Promise<void> {
    const outcomes = await resolveLostReply(this.#connection, lost, call).catch(() => []);
    if (outcomes === 'not-done' && lost.isOver)
      for (const { reject } of taken) reject(storageErrorFromEtcd(cause));
    else if (outcomes === 'not-done') this.#resend(taken);
    else settle(taken, outcomes, cause);
  }

  /** Follows the guard that refused a batch, and resends the transactions where this release may still write to the store. Never rejects. */
  async #followAndResend(taken: readonly Waiting[], call: CallContext): Promise<void> {
    try {
      await this.#guard.follow(call);
      this.#resend(taken);
    } catch (thrown) {
      for (const { reject } of taken) reject(storageErrorFromEtcd(thrown));
    }
  }

  /** Puts the transactions of a batch that never will commit into later batches. */
  #resend(taken: readonly Waiting[]): void {
    for (const waiting of taken) {
      if (waiting.hasGivenUp) continue;
      waiting.isSent = false;
      this.#enqueue(waiting);
    }
  }

  /** Handles a refused batch, which changed nothing: when one member may be the reason, each is sent alone. */
  async #refused(taken: readonly Waiting[], error: StorageError): Promise<void> {
    if (taken.length === 1 || !isStorageError(error, 'too-large')) {
      for (const { reject } of taken) reject(error);
      return;
    }
    for (const waiting of taken) {
      const alone = new Batch(this.#limits);
      alone.tryAdd(waiting.member);
      await this.#send(alone, [waiting]);
    }
  }
}

function endFailed(span: Span, thrown: unknown): void {
  span.fail(errorMessage(thrown));
  span.end();
}

const neverAborts = new AbortController().signal;

/** Whether etcd refused the transaction: the end of the wait by a limit of the call is no refusal. */
function isRefusalByEtcd(thrown: unknown): boolean {
  return !(thrown instanceof StorageError) && isRefusal(thrown);
}

function settle(
  taken: readonly Waiting[],
  outcomes: readonly (TransactionOutcome | undefined)[],
  cause?: unknown,
): void {
  for (const [index, { resolve, reject }] of taken.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) reject(unknownOutcome(cause));
    else resolve(outcome);
  }
}

function unknownOutcome(cause: unknown): StorageError {
  return new StorageError('unknown-outcome', 'the transaction may or may not have committed', { cause });
}
