import {
  type CallContext,
  type Deadline,
  deadlineIn,
  millisecondsUntil,
  noDeadline,
  type Trace,
} from '@binnacle/proto';
import { type StatusError, timeout } from '@binnacle/status-errors';

const maxTimerDelay = 2 ** 31 - 1;

/**
 * The context of a call received on a call stream.
 *
 * The signal and its timer are created when a handler first reads `signal`: most calls never need them.
 */
export class ServerCall implements CallContext {
  readonly deadline: Deadline;
  declare readonly trace?: Trace;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #abortReason: StatusError | undefined;
  #ended = false;

  constructor(timeoutMs: number, trace: Trace | undefined) {
    this.deadline = timeoutMs > 0 ? deadlineIn(timeoutMs) : noDeadline;
    if (trace !== undefined) this.trace = trace;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
      else this.#startTimer();
    }
    return this.#controller.signal;
  }

  /** Whether the caller no longer waits for the answer. */
  get aborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Aborts the handler's signal: the caller no longer waits for the answer. */
  abort(reason: StatusError): void {
    if (this.#ended || this.#abortReason) return;
    this.#abortReason = reason;
    clearTimeout(this.#timer);
    this.#controller?.abort(reason);
  }

  /** Marks the handler as finished: later aborts and the deadline have no effect. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #startTimer(): void {
    const delay = millisecondsUntil(this.deadline);
    if (this.#ended || delay > maxTimerDelay) return;
    const expire = () => this.abort(timeout('the call did not finish before its deadline'));
    if (delay <= 0) expire();
    else this.#timer = setTimeout(expire, delay);
  }
}
