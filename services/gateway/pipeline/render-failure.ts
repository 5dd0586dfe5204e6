import { traceFields } from '@binnacle/rpc';
import { StatusError } from '@binnacle/status-errors';
import { type Logger, RepeatedWarnings } from '@binnacle/telemetry';
import { renderError, renderPageNotFound } from '../render/render-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { clientErrorFrom } from './map-storage-errors.ts';

const mostCauses = 5;

/** Answers a request with an error. */
export type RenderFailure = (exchange: Exchange, error: unknown) => void | Promise<void>;

/** Creates the function that answers errors with a Status, and logs the causes of server errors. */
export function createFailureRenderer(logger: Logger): RenderFailure {
  const warnings = new RepeatedWarnings(logger);
  return (exchange, error) => {
    if (error instanceof PageNotFound) return renderPageNotFound(exchange);
    const failure = clientErrorFrom(error);
    logFailure({ logger, warnings }, exchange, failure);
    return renderError(exchange, failure);
  };
}

/**
 * Logs a failure: a defect of the server as an error with its stack, a service that cannot be reached as a warning,
 * one line for many of a kind, because every request fails while it is down. Errors that clients cause are not logged:
 * they could fill the log.
 */
function logFailure(
  { logger, warnings }: { readonly logger: Logger; readonly warnings: RepeatedWarnings },
  exchange: Exchange,
  failure: StatusError,
): void {
  const { cause, code, message } = failure;
  if (exchange.isDisconnected || code < 500 || (code !== 500 && cause === undefined)) return;
  const { auditId, method, path } = exchange;
  const isExpected = code !== 500 || cause instanceof StatusError;
  const shown = isExpected ? joinMessages(cause) : cause;
  const fields = { auditId, method, path, code, cause: shown, ...traceFields(exchange.call) };
  if (code === 500) logger.error(message, fields);
  else warnings.warn(message, String(shown), fields);
}

/** The messages of an error and its causes, without stacks. */
function joinMessages(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error && messages.length < mostCauses; each = each.cause)
    messages.push(`${each.name}: ${each.message}`);
  return messages.join('; ');
}
