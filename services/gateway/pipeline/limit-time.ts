import { parseDuration } from '@binnacle/api-objects';
import { unlessAborted } from '@binnacle/event-loop';
import { createCallContext } from '@binnacle/service-kit';
import { badRequest, type StatusError, timeout } from '@binnacle/status-errors';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Exchange, Step } from '../request/exchange.ts';

const readingVerbs = new Set(['get', 'list', 'head', 'options']);

/** Gives every request but a watch a deadline: its `timeout` parameter, at most `maxMs`. Answers 504 when it passes. */
export function limitTime(maxMs: number, metrics: Pick<GatewayMetrics, 'terminated'>): Step {
  return async (exchange, next) => {
    if (exchange.longRunning) {
      await next();
      return;
    }
    using call = createCallContext({ timeoutMs: timeoutOf(exchange.query, maxMs), parent: exchange.call });
    exchange.call = call;
    // What goes on after the deadline settles unheard: it may not answer any more.
    await unlessAborted(next(), call.signal, () => {
      if (!exchange.disconnected.aborted) metrics.terminated(exchange, 504);
      return timedOut(exchange);
    });
  };
}

function timeoutOf(query: URLSearchParams, maxMs: number): number {
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

function timedOut({ target }: Exchange): StatusError {
  const text = 'Timeout: request did not complete within the allotted time';
  return timeout(readingVerbs.has(target.verb) ? text : `${text}; the outcome of the write is unknown`);
}
