import { pause, unlessAborted } from '@binnacle/event-loop';
import type { FailureLog } from '@binnacle/telemetry';
import type { AuditSink } from './audit-sink.ts';
import { Throttle, type ThrottleRate } from './throttle.ts';

/** The bounds of a queue. */
export interface QueueLimits {
  /** Most events that wait. */
  readonly bufferSize: number;
  /** Most events of one batch. */
  readonly maxBatchSize: number;
  /** Most characters of one batch; an event that is longer is delivered alone. */
  readonly maxBatchLength: number;
  /** Longest time that an event waits for its batch to fill. */
  readonly maxWaitMs: number;
  /** Undefined: batches follow each other as fast as they are delivered. */
  readonly throttle: ThrottleRate | undefined;
}

/** Options of a queue of events. */
export interface EventQueueOptions extends QueueLimits {
  readonly sink: AuditSink;
  /** Logs failures of the sink. */
  readonly failures: Pick<FailureLog, 'failed' | 'worked'>;
  /** Logs events that are lost because the queue is full. */
  readonly overflows: Pick<FailureLog, 'failed'>;
  /** Called with the number of events that are lost. */
  readonly onLost: (events: number) => void;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

interface Waiting {
  readonly text: string;
  readonly since: number;
  readonly settle: ((isDelivered: boolean) => void) | undefined;
}

/** Longest time for closing a sink, which may wait for a disk that hangs. */
const longestCloseMs = 1_000;

/** Most characters of all waiting events. */
const maxBufferLength = 128 * 1024 * 1024;

/**
 * Delivers events in batches, one batch at a time. The queue is bounded: an event is lost when the queue is full, and a
 * batch is lost when its sink fails; lost events are counted and logged.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #throttle: Throttle | undefined;
  readonly #stopping = new AbortController();
  readonly #givingUp = new AbortController();
  #waiting: Waiting[] = [];
  #length = 0;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
    const { throttle, now } = options;
    this.#throttle = throttle && new Throttle(throttle, now);
  }

  /** Adds an event; `settle` is called once, with whether it was delivered. */
  add(text: string, settle?: (isDelivered: boolean) => void): void {
    const isFull =
      this.#waiting.length >= this.#options.bufferSize ||
      (this.#waiting.length > 0 && this.#length + text.length > maxBufferLength);
    if (isFull || this.#givingUp.signal.aborted) {
      this.#options.onLost(1);
      this.#options.overflows.failed(new Error('the buffer is full'));
      settle?.(false);
      return;
    }
    this.#waiting.push({ text, since: this.#options.now(), settle });
    this.#length += text.length;
    if (this.#isBatchFull()) this.#wake?.();
    this.#running ??= this.#run();
  }

  /** Delivers the waiting events at once; those left after `timeoutMs`, and events added later, are lost. */
  async close(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    const finished = new AbortController();
    const delivered = Promise.resolve(this.#running).then(() => finished.abort());
    await pause(timeoutMs, finished.signal);
    this.#givingUp.abort(stopped());
    await delivered;
    const closed = new AbortController();
    const closing = Promise.resolve(this.#options.sink[Symbol.asyncDispose]()).finally(() => closed.abort());
    await Promise.race([closing, pause(longestCloseMs, closed.signal)]);
  }

  async #run(): Promise<void> {
    // Events of one turn of the event loop go together.
    await Promise.resolve();
    while (this.#waiting.length > 0 && !this.#givingUp.signal.aborted) {
      await this.#waitForMore();
      await this.#throttle?.take(this.#stopping.signal);
      await this.#deliver(this.#nextBatch());
    }
    this.#running = undefined;
    if (this.#waiting.length > 0) this.#lose(this.#nextBatch(Number.POSITIVE_INFINITY), stopped());
  }

  async #waitForMore(): Promise<void> {
    const [first] = this.#waiting;
    const { maxWaitMs, now } = this.#options;
    if (first === undefined || maxWaitMs === 0 || this.#isBatchFull()) return;
    await pause(first.since + maxWaitMs - now(), this.#stopping.signal, {
      wakeBy: wake => {
        this.#wake = wake;
        return () => {
          this.#wake = undefined;
        };
      },
    });
  }

  async #deliver(batch: readonly Waiting[]): Promise<void> {
    const { sink, failures } = this.#options;
    const { signal } = this.#givingUp;
    const texts = batch.map(({ text }) => text);
    try {
      // A write to a disk that hangs cannot be aborted.
      await unlessAborted(sink.write(texts, signal), signal, { reasonOf: stopped });
    } catch (error) {
      this.#lose(batch, error);
      return;
    }
    failures.worked();
    for (const { settle } of batch) settle?.(true);
  }

  #isBatchFull(): boolean {
    const { maxBatchSize, maxBatchLength } = this.#options;
    return this.#waiting.length >= maxBatchSize || this.#length >= maxBatchLength;
  }

  #nextBatch(maxSize = this.#options.maxBatchSize): Waiting[] {
    const maxLength = maxSize === Number.POSITIVE_INFINITY ? maxSize : this.#options.maxBatchLength;
    let size = 0;
    let length = 0;
    for (const { text } of this.#waiting) {
      if (size > 0 && (size >= maxSize || length + text.length > maxLength)) break;
      size++;
      length += text.length;
    }
    this.#length -= length;
    return this.#waiting.splice(0, size);
  }

  #lose(events: readonly Waiting[], error: unknown): void {
    const { onLost, failures } = this.#options;
    onLost(events.length);
    failures.failed(error);
    for (const { settle } of events) settle?.(false);
  }
}

function stopped(): Error {
  return new Error('the server stops');
}
