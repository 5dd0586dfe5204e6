import type { Step } from '../request/exchange.ts';
import { isProxied } from '../request/request-target.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';

/** Takes out of requests what asks for features that are switched off, so that no verb sees it. */
export function leaveOutDisabled({ featureGates }: GatewaySettings): Step {
  const takesChunks = featureGates.isEnabled('APIListChunking');
  const takesFieldValidation = featureGates.isEnabled('ServerSideFieldValidation');
  const takesCompression = featureGates.isEnabled('APIResponseCompression');
  return async ({ query, request, target }, next) => {
    if (!isProxied(target)) {
      if (!takesChunks) {
        query.delete('limit');
        query.delete('continue');
      }
      if (!takesFieldValidation) query.set('fieldValidation', 'Ignore');
      if (!takesCompression) delete request.headers['accept-encoding'];
    }
    await next();
  };
}
