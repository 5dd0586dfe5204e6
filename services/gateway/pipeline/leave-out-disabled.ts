import { isProxied } from '../request-info/request-target.ts';
import type { GatewaySettings } from '../settings.ts';
import type { Step } from './exchange.ts';

/** Takes out of requests what asks for features that are switched off, so that no verb sees it. */
export function leaveOutDisabled({
  apiListChunking,
  responseCompression,
  serverSideFieldValidation,
}: GatewaySettings): Step {
  return async ({ query, request, target }, next) => {
    if (!isProxied(target)) {
      if (!apiListChunking) {
        query.delete('limit');
        query.delete('continue');
      }
      if (!serverSideFieldValidation) query.set('fieldValidation', 'Ignore');
      if (!responseCompression) delete request.headers['accept-encoding'];
    }
    await next();
  };
}
