import type { Logger } from '@binnacle/service-kit';
import type { StatusError } from '@binnacle/status-errors';
import { renderError, renderPageNotFound } from '../render/render-error.ts';
import { PageNotFound } from '../request-info/page-not-found.ts';
import type { Exchange, Step } from './exchange.ts';
import { clientErrorFrom } from './map-storage-errors.ts';

/** Answers every error of the steps after it with a Status; what is behind a server's error goes to the log. */
export function renderErrors(logger: Logger): Step {
  return async (exchange, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof PageNotFound) {
        await renderPageNotFound(exchange);
        return;
      }
      const failure = clientErrorFrom(error);
      logFailure(logger, exchange, failure);
      await renderError(exchange, failure);
    }
  };
}

/** The server's own failures are errors; what it could not reach is a warning; the rest is the client's affair. */
function logFailure(logger: Logger, exchange: Exchange, failure: StatusError): void {
  const { cause } = failure;
  if (exchange.disconnected.aborted || (failure.code !== 500 && cause === undefined)) return;
  const { auditId, method, path } = exchange;
  const fields = { auditId, method, path, code: failure.code, cause: cause ?? failure };
  if (failure.code === 500) logger.error(failure.message, fields);
  else logger.warn(failure.message, fields);
}
