import type { UserInfo } from '@binnacle/proto';
import type { OidcSettings } from './oidc-settings.ts';

/** Claims of a token whose signature is verified. */
type Claims = Readonly<Record<string, unknown>>;

/** Seconds by which clocks may differ. */
const leewaySeconds = 10;
/** Seconds by which `iat` may be in the future: `nbf` decides, and this refuses only absurd times. */
const futureSeconds = 300;

/** Finds the reason to refuse claims: issuer, audience, times or required claims; undefined when they are valid. */
export function findRefusal(claims: Claims, settings: OidcSettings, nowSeconds: number): string | undefined {
  if (claims.iss !== settings.issuer) return 'the token is of another issuer';
  if (!isFor(claims.aud, settings.clientId)) return 'the token is for another client';
  const { exp, nbf, iat } = claims;
  if (!isTime(exp) || !isTimeOrAbsent(nbf) || !isTimeOrAbsent(iat))
    return 'the times of the token are not complete';
  if (exp < nowSeconds - leewaySeconds) return 'the token has expired';
  if ((nbf ?? 0) > nowSeconds + leewaySeconds) return 'the token is not valid yet';
  if ((iat ?? 0) > nowSeconds + futureSeconds) return 'the token was issued in the future';
  const missing = settings.requiredClaims.find(({ claim, value }) => own(claims, claim) !== value);
  return missing && `the token does not have the required claim ${missing.claim}`;
}

/** Creates the user from claims; returns a text with the reason where they name none. */
export function userFrom(claims: Claims, settings: OidcSettings): UserInfo | string {
  const name = own(claims, settings.usernameClaim);
  if (typeof name !== 'string' || name === '')
    return `the token has no user name in the claim ${settings.usernameClaim}`;
  const hasUnverifiedEmail = Object.hasOwn(claims, 'email_verified') && claims.email_verified !== true;
  if (settings.usernameClaim === 'email' && hasUnverifiedEmail)
    return 'the email of the token is not verified';
  const groups = groupsIn(claims, settings.groupsClaim);
  if (!groups) return `the claim ${settings.groupsClaim} of the token is not a list of groups`;
  return {
    username: `${settings.usernamePrefix}${name}`,
    uid: '',
    groups: groups.map(group => `${settings.groupsPrefix}${group}`),
    extra: {},
  };
}

/** Reads the groups; a string is one group, because some providers write single values so. */
function groupsIn(claims: Claims, claim: string | undefined): readonly string[] | undefined {
  const groups = claim === undefined ? undefined : own(claims, claim);
  if (groups === undefined || groups === null) return [];
  if (typeof groups === 'string') return [groups];
  return Array.isArray(groups) && groups.every(group => typeof group === 'string') ? groups : undefined;
}

function isFor(audience: unknown, clientId: string): boolean {
  return Array.isArray(audience) ? audience.includes(clientId) : audience === clientId;
}

/** Reads a claim as an own property, not an inherited one. */
function own(claims: Claims, claim: string): unknown {
  return Object.hasOwn(claims, claim) ? claims[claim] : undefined;
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isTimeOrAbsent = (value: unknown): value is number | undefined => value === undefined || isTime(value);
