import { lookMs } from '@binnacle/event-loop';
import type { CallContext, MethodContract } from '@binnacle/proto';
import { ConnectionLost, StatusError, statusErrorFrom } from '@binnacle/status-errors';
import type { CounterChild, Metrics } from '@binnacle/telemetry';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import { createCallContext } from '../deadline/call-context.ts';
import type { LinkPool } from './link-pool.ts';
import type { Session } from './session.ts';
import type { UsualWaits } from './usual-waits.ts';

/** Sends a call to one pod. */
export type Send = (session: Session, request: unknown, call: CallContext) => Promise<unknown>;

/** A call that got no answer from a pod that is silent or lost. */
export interface Unanswered<Request, Response> {
  readonly request: Request;
  readonly call: CallContext;
  /** The answer of the first pod, should it come after all; rejected with `ConnectionLost` where it cannot. */
  readonly original: Promise<Response>;
  /** Sends the call to another pod; rejected where there is none that answers. */
  readonly resend: (call: CallContext) => Promise<Response>;
  /** Whether the first pod may still answer soon: it gives signs of life. */
  readonly isHeard: () => boolean;
}

/** Finds the answer of a call that may not be repeated as it is, or says that its outcome is unknown. */
export type Recover<Request, Response> = (unanswered: Unanswered<Request, Response>) => Promise<Response>;

/** The rules for calls of a method that have no answer. */
export interface OverduePolicy {
  readonly label: string;
  readonly send: Send;
  /** Whether it is sent to another pod too when its own is silent. */
  readonly isRepeatable: boolean;
  /** It is also sent to another one when it waits for longer than its like usually do. */
  readonly waits?: UsualWaits;
  readonly recover?: Recover<unknown, unknown>;
}

/** Looks that a call waits at a pod that is silent: half a second. */
const looksWhenSilent = 500 / lookMs;

/** Repeats for each call that is made, and repeats that are saved up at most: what waits for a pod when it falls silent. */
const repeatsPerCall = 0.1;
const mostSaved = 128;
/** The part of them that is kept for pods that are silent. */
const keptForSilence = 64;

/**
 * The calls of one client that wait for too long: those that may be repeated go to a second pod, and the first answer counts; of the
 * others it is found out what became of them. At most one call in ten is repeated, so that pods which are all slow are not
 * given twice the work.
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

  /** A call was made. */
  called({ waits }: OverduePolicy): void {
    if (this.#saved < mostSaved) this.#saved += repeatsPerCall;
    waits?.called();
  }

  /** Looks at a call under way. */
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

  /** Looks for the answer of a call whose connection broke; undefined where nothing can be found out. */
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

/** From now on the outcome of a call goes to the result instead of its caller. */
function divert(underWay: CallUnderWay): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  underWay.resolve = resolve;
  underWay.reject = reject;
  // It may fail when no one asks any more.
  promise.catch(() => {});
  return promise;
}

/** The answer that comes first; a lost connection is none while the other one lasts. */
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
