import { lookMs } from '@binnacle/event-loop';
import type { CallContext, MethodContract } from '@binnacle/proto';
import { ConnectionLost, StatusError, statusErrorFrom } from '@binnacle/status-errors';
import type { CounterChild, Metrics } from '@binnacle/telemetry';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import { createCallContext } from '../deadline/call-context.ts';
import type { LinkPool } from './link-pool.ts';
import type { Session } from './session.ts';
import type { UsualWaits } from './usual-waits.ts';

/** Sends a call over one session. */
export type Send = (session: Session, request: unknown, call: CallContext) => Promise<unknown>;

/** A call without an answer, because its pod is silent or lost. */
export interface Unanswered<Request, Response> {
  readonly request: Request;
  readonly call: CallContext;
  /** The answer of the first pod; rejects with `ConnectionLost` if that connection is lost. */
  readonly original: Promise<Response>;
  /** Sends the call to another pod; rejects if no other pod answers. */
  readonly resend: (call: CallContext) => Promise<Response>;
  /** Whether the first pod responds, so that its answer may still arrive soon. */
  readonly isHeard: () => boolean;
}

/** Finds the outcome of a call that may not simply be repeated, or rejects because it is unknown. */
export type Recover<Request, Response> = (unanswered: Unanswered<Request, Response>) => Promise<Response>;

/** The policy for unanswered calls of a method. */
export interface OverduePolicy {
  readonly label: string;
  readonly send: Send;
  /** Whether a call is also sent to another pod when its own is silent. */
  readonly isRepeatable: boolean;
  /** Present for hedged methods: a call is also sent to another pod when it waits unusually long. */
  readonly waits?: UsualWaits;
  readonly recover?: Recover<unknown, unknown>;
}

/** Checks after which a call to a silent pod is overdue: 500 ms. */
const looksWhenSilent = 500 / lookMs;

/**
 * Token bucket of repeats: tokens added for each call, and its capacity, which covers the calls that wait when a pod
 * falls silent.
 */
const repeatsPerCall = 0.1;
const mostSaved = 128;
/** Tokens reserved for silent pods; slow calls of hedged methods do not use them. */
const keptForSilence = 64;

/**
 * The overdue calls of one client. Repeatable ones are sent to a second pod, and the first answer counts; others are
 * recovered. At most one call in ten is repeated, so that pods which are all slow do not get twice the load.
 */
export class OverdueCalls {
  readonly #pool: LinkPool;
  readonly #policies: ReadonlyMap<MethodContract, OverduePolicy>;
  readonly #counted: (label: string) => CounterChild | undefined;
  #saved = mostSaved;

  constructor(
    pool: LinkPool,
    policies: ReadonlyMap<MethodContract, OverduePolicy>,
    metrics: Metrics | undefined,
  ) {
    this.#pool = pool;
    this.#policies = policies;
    const family = metrics?.counter({
      name: 'binnacle_rpc_client_overdue_calls_total',
      help: 'Calls between services that got no answer and were sent to a second pod, by method.',
      labelNames: ['method'],
    });
    this.#counted = label => family?.labels(label);
  }

  /** Counts a call that is sent. */
  called({ waits }: OverduePolicy): void {
    if (this.#saved < mostSaved) this.#saved += repeatsPerCall;
    waits?.called();
  }

  /** Checks a call under way, and repeats or recovers it if it is overdue. */
  look(session: Session, underWay: CallUnderWay): void {
    const policy = this.#policies.get(underWay.method);
    if (policy === undefined) return;
    const isLate = policy.waits?.isLate(underWay.looks) ?? false;
    if (underWay.isOverdue) return;
    const isFrozen = session.isFrozen && underWay.looks >= looksWhenSilent;
    if (!isFrozen && !isLate) return;
    if (policy.recover === undefined && this.#saved < (isFrozen ? 1 : keptForSilence)) return;
    const other = this.#pool.pickElse(session);
    if (other === undefined) return;
    this.#counted(policy.label)?.inc();
    underWay.isOverdue = true;
    if (policy.recover !== undefined)
      this.#recover(session, underWay, { ...policy, recover: policy.recover });
    else this.#repeat(other, underWay, policy);
  }

  /** Recovers the outcome of a call whose connection broke; undefined if that is impossible. */
  lost(session: Session, { policy, request, call, error }: LostCall): Promise<unknown> | undefined {
    if (policy.recover === undefined || this.#pool.pickElse(session) === undefined) return undefined;
    this.#counted(policy.label)?.inc();
    const original = Promise.reject(error);
    original.catch(() => {});
    const resend = (within: CallContext) => this.#resend(session, { policy, request, call: within });
    return policy.recover({ request, call, original, resend, isHeard: () => false });
  }

  #repeat(other: Session, underWay: CallUnderWay, { send }: OverduePolicy): void {
    this.#saved--;
    const { request, call, resolve, reject } = underWay;
    const original = divert(underWay);
    const over = new AbortController();
    const repeated = createCallContext({
      timeoutMs: Number.POSITIVE_INFINITY,
      parent: call,
      signal: over.signal,
    });
    void firstAnswer(original, send(other, request, repeated))
      .then(resolve, reject)
      .finally(() => {
        over.abort();
        repeated[Symbol.dispose]();
        underWay.cancel();
      });
  }

  #recover(
    session: Session,
    underWay: CallUnderWay,
    policy: OverduePolicy & { readonly recover: Recover<unknown, unknown> },
  ): void {
    const { request, call, resolve, reject } = underWay;
    const original = divert(underWay);
    const resend = (within: CallContext) => this.#resend(session, { policy, request, call: within });
    void policy
      .recover({ request, call, original, resend, isHeard: () => !session.isSilent })
      .then(resolve, (thrown: unknown) => reject(statusErrorFrom(thrown)))
      .finally(() => underWay.cancel());
  }

  async #resend(
    session: Session,
    { policy, request, call }: Pick<LostCall, 'policy' | 'request' | 'call'>,
  ): Promise<unknown> {
    const other = this.#pool.pickElse(session);
    if (other === undefined)
      throw new ConnectionLost('no other pod answers', undefined, { isUnprocessed: true });
    return await policy.send(other, request, call);
  }
}

interface LostCall {
  readonly policy: OverduePolicy;
  readonly request: unknown;
  readonly call: CallContext;
  readonly error: ConnectionLost;
}

/** Redirects the outcome of a call from its caller to the returned promise. */
function divert(underWay: CallUnderWay): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  underWay.resolve = resolve;
  underWay.reject = reject;
  // The promise may reject after its consumer has the other answer.
  promise.catch(() => {});
  return promise;
}

/** The first answer; a lost connection does not count while the other call is under way. */
function firstAnswer(original: Promise<unknown>, repeated: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let left = 2;
    const failed = (error: unknown): void => {
      left--;
      if (left > 0 && error instanceof ConnectionLost) return;
      reject(error instanceof StatusError ? error : statusErrorFrom(error));
    };
    original.then(resolve, failed);
    repeated.then(resolve, failed);
  });
}
