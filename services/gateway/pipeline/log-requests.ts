import { clientOf, type Logger } from '@binnacle/service-kit';
import { isPatchAnnotation } from '../audit/events/patch-annotation.ts';
import type { Exchange, Step } from '../request/exchange.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';

/** Writes a line for each request that is to be logged, a watch when it ends. Queries, bodies and what webhooks changed are not shown. */
export function logRequests(which: GatewaySettings['accessLog'], logger: Logger): Step {
  return async (exchange, next) => {
    const beganAt = performance.now();
    await next();
    const { response, longRunning } = exchange;
    const write = () => {
      if (which === 'none') return;
      const annotations = [...exchange.notes.annotations].filter(([key]) => !isPatchAnnotation(key));
      if (which === 'annotated' && annotations.length === 0) return;
      logger.info('request', {
        ...fieldsOf(exchange),
        milliseconds: Math.round(performance.now() - beganAt),
        ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
      });
    };
    const isOpen = longRunning && response.headersSent && !response.writableFinished && !response.destroyed;
    if (isOpen) response.once('close', write);
    else write();
  };
}

function fieldsOf(exchange: Exchange) {
  const { auditId, method, path, user, response, target, request } = exchange;
  return {
    auditId,
    user: user.username,
    client: clientOf(request.socket),
    method,
    path,
    verb: target.verb,
    code: response.statusCode,
  };
}
