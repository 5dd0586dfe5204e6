import {
  type CallContext,
  type Deadline,
  deadlineIn,
  earlierDeadline,
  millisecondsUntil,
  noDeadline,
  type Trace,
} from '@binnacle/proto';
import { timeout } from '@binnacle/status-errors';
import { sharedDeadlines, type Timed } from './deadline-queue.ts';

/** Options of a call context. */
interface CallContextOptions {
  /** Time from now to the deadline, in ms; never past the deadline of `parent`. */
  readonly timeoutMs: number;
  /** The call that this one serves: this call ends with it and inherits its trace. */
  readonly parent?: CallContext | undefined;
  /** Aborting it also ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the trace of `parent`. */
  readonly trace?: Trace | undefined;
}

/** A call context with its own deadline; dispose of it when the call has ended. */
type OwnedCallContext = CallContext & Disposable;

/**
 * Creates the context of a call. Its signal aborts at the deadline (with a 504 `StatusError` as reason), with its
 * parent, or with `signal`, whichever comes first (with the reason of that signal).
 */
export function createCallContext({
  timeoutMs,
  parent,
  signal,
  trace = parent?.trace,
}: CallContextOptions): OwnedCallContext {
  const call = new OpenCall(trace);
  if (parent !== undefined) call.follow(parent);
  if (signal !== undefined) call.follow({ signal });
  call.limit(timeoutMs, parent?.deadline);
  return call;
}

/**
 * A call that ends by `end`, with a call that it follows, or at its deadline.
 *
 * An `AbortSignal` costs more than the rest of a call, and most calls end before anything waits for their end. The
 * signal is therefore created when it is first read; `onCallEnd` and `hasEnded` work without it.
 */
export class OpenCall implements OwnedCallContext, Timed {
  declare trace?: Trace | undefined;
  deadline: Deadline = noDeadline;
  durationMs = 0;
  #end: { readonly reason: unknown } | undefined;
  #isDisposed = false;
  #controller: AbortController | undefined;
  #listeners: Set<() => void> | undefined;
  #unfollow: (() => void)[] | undefined;

  constructor(trace?: Trace) {
    if (trace !== undefined) this.trace = trace;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  /** Whether the call ends by itself at its deadline. */
  get endsAtDeadline(): boolean {
    return this.durationMs > 0;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the call; without effect if the call has ended or was disposed of. */
  end(reason: unknown): void {
    if (this.#end !== undefined || this.#isDisposed) return;
    this.#end = { reason };
    const listeners = this.#listeners;
    this.#letGo();
    this.#controller?.abort(reason);
    // Listeners run in reverse order: the work begun for the call stops before the first listener answers the call.
    if (listeners !== undefined) for (const listener of [...listeners].reverse()) listener();
  }

  /** Ends this call when `other` ends, with the same reason. */
  follow(other: Pick<CallContext, 'signal'>): void {
    if (this.#end !== undefined) return;
    if (hasEnded(other)) this.end(other.signal.reason);
    else {
      this.#unfollow ??= [];
      this.#unfollow.push(onCallEnd(other, () => this.end(other.signal.reason)));
    }
  }

  /** Sets the deadline: so many milliseconds from now, or `latest` if that is earlier. */
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

  /** Adds a listener, called once when the call ends; the last listener is called first. */
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

/** Whether a call ends by itself at its deadline; the work for any other call needs a timer. */
export function endsAtDeadline(call: Pick<CallContext, 'signal'>): boolean {
  return call instanceof OpenCall && call.endsAtDeadline;
}

/**
 * Adds a listener, called once when the call ends, the last one first; the call must not have ended. Returns a function
 * that removes the listener.
 */
export function onCallEnd(call: Pick<CallContext, 'signal'>, listener: () => void): () => void {
  if (call instanceof OpenCall) {
    call.addListener(listener);
    return () => call.removeListener(listener);
  }
  const { signal } = call;
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
