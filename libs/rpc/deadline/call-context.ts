import {
  type CallContext,
  type Deadline,
  deadlineIn,
  earlierDeadline,
  millisecondsUntil,
  noDeadline,
} from '@binnacle/proto';
import { timeout } from '@binnacle/status-errors';
import { sharedDeadlines, type Timed } from './deadline-queue.ts';

/** Options of a call context. */
interface CallContextOptions {
  /** Milliseconds from now; cut to what the parent has left. */
  readonly timeoutMs: number;
  /** The call that this one serves: its end ends this one, and its trace goes on. */
  readonly parent?: CallContext | undefined;
  /** Ends the call as well. */
  readonly signal?: AbortSignal | undefined;
  readonly traceparent?: string | undefined;
}

/** A call context that owns a deadline: dispose of it when the call is over. */
type OwnedCallContext = CallContext & Disposable;

/**
 * Starts a call: its signal aborts at the deadline (with a 504 `StatusError` as reason), with its parent, or with
 * `signal`, whichever comes first (with that signal's reason).
 */
export function createCallContext({
  timeoutMs,
  parent,
  signal,
  traceparent = parent?.traceparent,
}: CallContextOptions): OwnedCallContext {
  const call = new OpenCall(traceparent);
  if (parent !== undefined) call.follow(parent);
  if (signal !== undefined) call.follow({ signal });
  call.limit(timeoutMs, parent?.deadline);
  return call;
}

/**
 * A call that ends when it is told so, with another one that it follows, or at a deadline that it may be given.
 *
 * An `AbortSignal` costs more than all the rest of a call, and most calls end before anything waits for their end. So the
 * signal is made when it is first asked for; `onCallEnd` and `hasEnded` do without it.
 */
export class OpenCall implements OwnedCallContext, Timed {
  declare readonly traceparent?: string;
  deadline: Deadline = noDeadline;
  durationMs = 0;
  #end: { readonly reason: unknown } | undefined;
  #isDisposed = false;
  #controller: AbortController | undefined;
  #listeners: Set<() => void> | undefined;
  #unfollow: (() => void)[] | undefined;

  constructor(traceparent: string | undefined) {
    if (traceparent !== undefined) this.traceparent = traceparent;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  /** Whether the call ends by itself when its deadline passes. */
  get endsAtDeadline(): boolean {
    return this.durationMs > 0;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the call, unless it has ended or was disposed of: without effect then. */
  end(reason: unknown): void {
    if (this.#end !== undefined || this.#isDisposed) return;
    this.#end = { reason };
    const listeners = this.#listeners;
    this.#letGo();
    this.#controller?.abort(reason);
    // The work that was begun for the call hears of its end before the call is answered, for which its first listener stands.
    if (listeners !== undefined) for (const listener of [...listeners].reverse()) listener();
  }

  /** Ends the call with another one, and for the same reason. */
  follow(other: Pick<CallContext, 'signal'>): void {
    if (this.#end !== undefined) return;
    if (hasEnded(other)) this.end(other.signal.reason);
    else {
      this.#unfollow ??= [];
      this.#unfollow.push(onCallEnd(other, () => this.end(other.signal.reason)));
    }
  }

  /** Gives the call a deadline: so many milliseconds from now, or `latest` where that is earlier. */
  limit(milliseconds: number, latest: Deadline = noDeadline): void {
    this.deadline = earlierDeadline(deadlineIn(Math.max(0, milliseconds)), latest);
    if (this.#end !== undefined) return;
    const left = Math.min(milliseconds, millisecondsUntil(latest));
    if (left <= 0) this.expire();
    else if (left < Number.POSITIVE_INFINITY) {
      this.durationMs = Math.ceil(left);
      sharedDeadlines.add(this);
    }
  }

  expire(): void {
    this.end(timeout('the call did not finish before its deadline'));
  }

  /** Calls back once, when the call ends: the last listener first. */
  addListener(listener: () => void): void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeListener(listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#letGo();
  }

  #letGo(): void {
    if (this.durationMs > 0) sharedDeadlines.remove(this);
    this.#listeners = undefined;
    const unfollow = this.#unfollow;
    this.#unfollow = undefined;
    if (unfollow !== undefined) for (const forget of unfollow) forget();
  }
}

/** Whether a call has ended. */
export function hasEnded(call: Pick<CallContext, 'signal'>): boolean {
  return call instanceof OpenCall ? call.hasEnded : call.signal.aborted;
}

/** Whether a call ends by itself when its deadline passes; the work for another one must be timed. */
export function endsAtDeadline(call: Pick<CallContext, 'signal'>): boolean {
  return call instanceof OpenCall && call.endsAtDeadline;
}

/** Calls back once when a call ends, which must not have ended yet, the last listener first; returns what takes that back. */
export function onCallEnd(call: Pick<CallContext, 'signal'>, listener: () => void): () => void {
  if (call instanceof OpenCall) {
    call.addListener(listener);
    return () => call.removeListener(listener);
  }
  const { signal } = call;
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
