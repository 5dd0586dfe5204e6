import { parseDuration } from '@binnacle/api-objects';
import { getClientAddress } from '@binnacle/connections';
import { traceFields } from '@binnacle/rpc';
import { badRequest, type StatusError, timeout } from '@binnacle/status-errors';
import type { Logger } from '@binnacle/telemetry';
import type { Audit } from '../audit/audit.ts';
import { isPatchAnnotation } from '../audit/events/patch-annotation.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { renderError } from '../render/render-error.ts';
import type { Exchange } from '../request/exchange.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import type { RenderFailure } from './render-failure.ts';

/** Parts of the pipeline that take part in the end of a request. */
export interface EndParts {
  /** The longest that a request may take unless it is long-running, in ms. */
  readonly requestTimeout: number;
  /** Selects the requests that are logged. */
  readonly accessLog: GatewaySettings['accessLog'];
  readonly logger: Logger;
  readonly metrics: Pick<GatewayMetrics, 'finished' | 'longRunning' | 'terminated'>;
  readonly renderFailure: RenderFailure;
  /** Undefined: nothing is audited. */
  readonly audit: Audit | undefined;
}

const readingVerbs = new Set(['get', 'list', 'head', 'options']);

/**
 * The end of one request. It ends once: with its answer, with an error, at its deadline or when its client leaves,
 * whichever comes first. Work that goes on for it afterwards is ignored, and cannot answer any more. After the answer
 * come metrics, the access log and the audit, for a long-running request when its connection closes.
 */
export class RequestEnd {
  readonly #exchange: Exchange;
  readonly #parts: EndParts;
  readonly #beganAt = performance.now();
  #isOver = false;

  constructor(exchange: Exchange, parts: EndParts) {
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /**
   * Gives a request its deadline, unless it is long-running: its `timeout` parameter, at most `requestTimeout`. From now on the
   * request ends with a 504 when the deadline passes or the client leaves.
   */
  limitTime(): void {
    const { call, query, longRunning } = this.#exchange;
    if (longRunning) return;
    call.limit(timeoutFrom(query, this.#parts.requestTimeout));
    if (call.hasEnded) throw this.#timedOut();
    call.addListener(() => void this.#expire());
  }

  /** The request was answered. */
  succeed(): void {
    if (this.#close()) this.#conclude(false);
  }

  /** Answers the request with an error that has happened. */
  fail(error: unknown): void | Promise<void> {
    if (this.#isOver) return;
    this.#parts.audit?.failed(this.#exchange, error);
    return this.#refuse(() => this.#parts.renderFailure(this.#exchange, error));
  }

  /** Answers the request with an error that is not to be logged. */
  refuse(error: StatusError): void | Promise<void> {
    return this.#refuse(() => renderError(this.#exchange, error));
  }

  #refuse(render: () => void | Promise<void>): void | Promise<void> {
    if (!this.#close()) return;
    let isBroken = true;
    try {
      const rendering = render();
      isBroken = false;
      if (rendering instanceof Promise) return this.#concludeAfter(rendering);
    } finally {
      if (isBroken) this.#breakOff();
    }
    this.#conclude(false);
  }

  async #concludeAfter(rendering: Promise<void>): Promise<void> {
    let isBroken = true;
    try {
      await rendering;
      isBroken = false;
    } finally {
      if (isBroken) this.#breakOff();
    }
    this.#conclude(false);
  }

  /** Breaks off the response: not even an error can be sent. */
  #breakOff(): void {
    this.#conclude(true);
    this.#exchange.response.destroy();
  }

  async #expire(): Promise<void> {
    try {
      await this.fail(this.#timedOut());
    } catch {
      this.#exchange.response.destroy();
    }
  }

  /** Marks the request as answered; returns whether it was not before. A long-running request keeps its call. */
  #close(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    const { call, longRunning } = this.#exchange;
    if (!longRunning) call[Symbol.dispose]();
    return true;
  }

  #conclude(isBroken: boolean): void {
    const exchange = this.#exchange;
    const { response, longRunning } = exchange;
    const isOpen = longRunning && response.headersSent && !response.writableFinished && !response.destroyed;
    if (!isOpen) {
      this.#finish(isBroken);
      return;
    }
    const { metrics } = this.#parts;
    metrics.longRunning(exchange, 1);
    response.once('close', () => {
      metrics.longRunning(exchange, -1);
      this.#finish(isBroken);
    });
  }

  #finish(isBroken: boolean): void {
    const { metrics, audit } = this.#parts;
    this.#exchange.spans?.end();
    if (!isBroken) {
      metrics.finished(this.#exchange, (performance.now() - this.#beganAt) / 1000);
      this.#log();
    }
    audit?.end(this.#exchange, isBroken);
  }

  /** Writes the line of a request that is to be logged. Queries, bodies and changes by webhooks are not shown. */
  #log(): void {
    const { accessLog, logger } = this.#parts;
    if (accessLog === 'none') return;
    const { auditId, method, path, user, response, target, request, notes } = this.#exchange;
    const annotations = notes.hasAnnotations
      ? [...notes.annotations].filter(([key]) => !isPatchAnnotation(key))
      : [];
    if (accessLog === 'annotated' && annotations.length === 0) return;
    logger.info('request', {
      auditId,
      user: user.username,
      client: getClientAddress(request.socket),
      method,
      path,
      verb: target.verb,
      code: response.statusCode,
      milliseconds: Math.round(performance.now() - this.#beganAt),
      ...traceFields(this.#exchange.call),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    });
  }

  #timedOut(): StatusError {
    const exchange = this.#exchange;
    if (!exchange.isDisconnected) this.#parts.metrics.terminated(exchange, 504);
    const text = 'Timeout: request did not complete within the allotted time';
    const isRead = readingVerbs.has(exchange.target.verb);
    return timeout(isRead ? text : `${text}; the outcome of the write is unknown`);
  }
}

function timeoutFrom(query: URLSearchParams, maxMs: number): number {
  const text = query.get('timeout');
  if (text === null || text === '') return maxMs;
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined || nanoseconds < 0) {
    throw badRequest(
      `invalid timeout specified in the request URL: ${JSON.stringify(text.slice(0, 64))} is not a duration`,
    );
  }
  return nanoseconds === 0 ? maxMs : Math.min(maxMs, nanoseconds / 1e6);
}
