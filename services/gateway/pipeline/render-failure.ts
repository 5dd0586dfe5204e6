import { StatusError } from '@binnacle/status-errors';
import { type Logger, RepeatedWarnings } from '@binnacle/telemetry';
import { renderError, renderPageNotFound } from '../render/render-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { clientErrorFrom } from './map-storage-errors.ts';

const mostCauses = 5;

/** Answers a request with an error. */
export type RenderFailure = (exchange: Exchange, error: unknown) => void | Promise<void>;

/** Creates what answers errors with a Status; what is behind a server's error goes to the log. */
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
 * Failures of the server itself are errors, with the stack of what it was not prepared for; what it could not reach is a
 * warning, one line for many of a kind: each request would write it while something is away. What clients cause is not logged: they
 * could fill the log with it.
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
  const fields = { auditId, method, path, code, cause: shown };
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
