import {
  type CallContext,
  type Deadline,
  deadlineIn,
  earlierDeadline,
  millisecondsUntil,
  noDeadline,
} from '@binnacle/proto';
import { timeout } from '@binnacle/status-errors';

/** What a call context is made from. */
interface CallContextOptions {
  /** Milliseconds from now; cut to what the parent has left. */
  readonly timeoutMs: number;
  /** The call that this one serves: its end ends this one, and its trace goes on. */
  readonly parent?: CallContext | undefined;
  /** Ends the call as well. */
  readonly signal?: AbortSignal | undefined;
  readonly traceparent?: string | undefined;
}

/** A call context that owns a timer: dispose of it when the call is over. */
type OwnedCallContext = CallContext & Disposable;

/**
 * Starts a call: its signal aborts at the deadline (with a 504 `StatusError` as reason), with its parent, or with
 * `signal`, whichever comes first (with that signal's reason).
 */
export function createCallContext(options: CallContextOptions): OwnedCallContext {
  return new TimedCall(options);
}

class TimedCall implements OwnedCallContext {
  readonly deadline: Deadline;
  declare readonly traceparent?: string;
  readonly #controller = new AbortController();
  readonly #sources: AbortSignal[];
  #timer: NodeJS.Timeout | undefined;

  constructor({ timeoutMs, parent, signal, traceparent }: CallContextOptions) {
    this.deadline = earlierDeadline(deadlineIn(Math.max(0, timeoutMs)), parent?.deadline ?? noDeadline);
    const trace = traceparent ?? parent?.traceparent;
    if (trace !== undefined) this.traceparent = trace;
    this.#sources = [parent?.signal, signal].filter(source => source !== undefined);
    const ended = this.#sources.find(source => source.aborted);
    if (ended) {
      this.#controller.abort(ended.reason);
      return;
    }
    for (const source of this.#sources) source.addEventListener('abort', this.#follow);
    const left = parent === undefined ? Number.POSITIVE_INFINITY : millisecondsUntil(parent.deadline);
    const delay = Math.min(timeoutMs, left);
    if (delay <= 0) this.#expire();
    else if (delay <= maxTimerDelay) this.#timer = setTimeout(this.#expire, delay);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const source of this.#sources) source.removeEventListener('abort', this.#follow);
  }

  readonly #expire = (): void => {
    this.#controller.abort(timeout('the call did not finish before its deadline'));
    this[Symbol.dispose]();
  };

  readonly #follow = (event: Event): void => {
    this.#controller.abort((event.target as AbortSignal).reason);
    this[Symbol.dispose]();
  };
}

/** Longer timers fire at once in Node; a deadline that far away never passes. */
const maxTimerDelay = 2 ** 31 - 1;
