import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '@binnacle/status-errors';
import type { Logger, Metrics } from '@binnacle/telemetry';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Options of a queue of spans. */
interface SpanQueueOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The collector, for the log. */
  readonly endpoint: string;
}

/** Spans that wait at most; more are dropped. */
const mostWaiting = 4096;
/** Spans of one request to the collector: few enough that their encoding holds up no other request. */
const mostAtOnce = 256;
/** Time that the first span of a request waits for more, in ms. */
const waitMs = 1_000;

/**
 * Spans on their way to the collector, one request at a time. Nothing waits for them: spans that find the queue full, and those of a
 * request that fails, are dropped and counted. The SDK's own processor counts no drops, and says nothing of a collector that is away.
 */
export class SpanQueue implements SpanProcessor {
  readonly #exporter: SpanExporter;
  readonly #options: SpanQueueOptions;
  readonly #exported: { inc(by: number): void };
  readonly #dropped: { inc(by: number): void };
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #exporting: Promise<void> | undefined;
  #isAway = false;

  constructor(exporter: SpanExporter, options: SpanQueueOptions) {
    this.#exporter = exporter;
    this.#options = options;
    const { metrics } = options;
    this.#exported = metrics
      .counter({ name: 'binnacle_tracing_exported_spans_total', help: 'Spans that the collector has taken.' })
      .labels();
    this.#dropped = metrics
      .counter({
        name: 'binnacle_tracing_dropped_spans_total',
        help: 'Spans that were dropped: the collector refused them or did not answer, or too many waited for it.',
      })
      .labels();
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped.inc(1);
      return;
    }
    this.#waiting.push(span);
    if (this.#exporting === undefined) this.#schedule();
  }

  /** Exports the waiting spans, within some milliseconds; the rest is dropped. */
  async flush(milliseconds: number): Promise<void> {
    const late = new AbortController();
    const end = pause(milliseconds, true, { signal: late.signal }).catch(() => true);
    for (let isOver = false; !isOver && (this.#waiting.length > 0 || this.#exporting !== undefined); ) {
      this.#exporting ??= this.#exportSome();
      isOver = await Promise.race([this.#exporting.then(() => false), end]);
    }
    late.abort();
    this.#dropped.inc(this.#waiting.length);
    this.#waiting = [];
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#exporter.shutdown();
  }

  #schedule(): void {
    if (this.#waiting.length >= mostAtOnce) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#exporting = this.#exportSome();
    } else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#exporting ??= this.#exportSome();
      }, waitMs).unref();
  }

  /** Sends the oldest spans; never rejects. */
  async #exportSome(): Promise<void> {
    const spans = this.#waiting.splice(0, mostAtOnce);
    const failure = await this.#export(spans);
    if (failure === undefined) this.#exported.inc(spans.length);
    else this.#dropped.inc(spans.length);
    this.#note(failure);
    this.#exporting = undefined;
    if (this.#waiting.length > 0) this.#schedule();
  }

  #export(spans: ReadableSpan[]): Promise<{ readonly error: unknown } | undefined> {
    return new Promise(resolve => {
      if (spans.length === 0) resolve(undefined);
      else
        this.#exporter.export(spans, ({ code, error }) =>
          // `ExportResultCode.SUCCESS` of @opentelemetry/core.
          resolve(code === 0 ? undefined : { error }),
        );
    });
  }

  /** Logs once that the collector is away, and once that it is back. */
  #note(failure: { readonly error: unknown } | undefined): void {
    const { log, endpoint } = this.#options;
    const isAway = failure !== undefined;
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway)
      log.warn('spans cannot be exported, they are dropped until the collector answers', {
        endpoint,
        error: errorMessage(failure.error),
      });
    else log.info('spans are exported again', { endpoint });
  }
}
