import { type CallContext, type Deadline, deadlineIn, millisecondsUntil, noDeadline } from '@binnacle/proto';
import { type StatusError, timeout } from '@binnacle/status-errors';

const maxTimerDelay = 2 ** 31 - 1;

/**
 * The context of a call that came over a call stream.
 *
 * Signal and timer are made when a handler first asks for the signal: most calls end without one.
 */
export class ServerCall implements CallContext {
  readonly deadline: Deadline;
  declare readonly traceparent?: string;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #abortReason: StatusError | undefined;
  #ended = false;

  constructor(timeoutMs: number, traceparent: string) {
    this.deadline = timeoutMs > 0 ? deadlineIn(timeoutMs) : noDeadline;
    if (traceparent !== '') this.traceparent = traceparent;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
      else this.#startTimer();
    }
    return this.#controller.signal;
  }

  /** Whether the caller has stopped waiting for the answer. */
  get aborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Tells the handler that the caller no longer waits for the answer. */
  abort(reason: StatusError): void {
    if (this.#ended || this.#abortReason) return;
    this.#abortReason = reason;
    clearTimeout(this.#timer);
    this.#controller?.abort(reason);
  }

  /** The handler is done: what comes later has no effect. */
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
