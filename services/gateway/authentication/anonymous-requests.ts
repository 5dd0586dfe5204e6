import { allowsEverything } from '../settings/authorization-flags.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';

/**
 * Whether requests without credentials go on as `system:anonymous`: by default unless the authorization modes let every request
 * through (spec 2, "Anonymous requests").
 */
export function allowsAnonymous({
  anonymousAuth,
  authorizationMode,
}: Pick<GatewaySettings, 'anonymousAuth' | 'authorizationMode'>): boolean {
  return anonymousAuth ?? !allowsEverything(authorizationMode);
}
