import { type BoundObject, bindingClaim, secretTokenClaim, secretTokenIssuer } from '@binnacle/tokens';

/** The claims of a service-account token that decide on it (spec 2, "Service account token"). */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  /** Seconds since 1970; infinity for a token that a Secret holds. */
  readonly expires: number;
  readonly notBefore: number | undefined;
  /** Seconds since 1970: the requested end of a token that stays valid for longer; undefined for others. */
  readonly warnAfter: number | undefined;
  readonly namespace: string;
  readonly serviceAccount: BoundObject;
  readonly pod: BoundObject | undefined;
  readonly secret: BoundObject | undefined;
  /** The name of the Secret that holds the token; undefined for one that the API issued. */
  readonly heldBy: string | undefined;
}

/** Reads claims from a verified payload. Returns undefined where a claim is missing or of another type. */
export function parseTokenClaims(payload: unknown): TokenClaims | undefined {
  const { iss, sub, aud, exp, nbf, [bindingClaim]: binding } = record(payload) ?? {};
  const { namespace, serviceaccount, pod: boundPod, secret: boundSecret, warnafter } = record(binding) ?? {};
  const serviceAccount = objectReference(serviceaccount);
  const audiences = audienceList(aud);
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') return undefined;
  if (typeof namespace !== 'string' || !serviceAccount || !audiences) return undefined;
  if (nbf !== undefined && typeof nbf !== 'number') return undefined;
  if (warnafter !== undefined && typeof warnafter !== 'number') return undefined;
  const pod = objectReference(boundPod);
  const secret = objectReference(boundSecret);
  if ((boundPod !== undefined && !pod) || (boundSecret !== undefined && !secret)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    audiences,
    expires: exp,
    notBefore: nbf,
    warnAfter: warnafter || undefined,
    namespace,
    serviceAccount,
    pod,
    secret,
    heldBy: undefined,
  };
}

/**
 * Reads claims from the verified payload of a token that a Secret holds. Such tokens name no audience: theirs are those of the
 * API. Returns undefined for a payload of another issuer, or where a claim is missing or of another type.
 */
export function parseSecretTokenClaims(
  payload: unknown,
  apiAudiences: readonly string[],
): TokenClaims | undefined {
  const claims = record(payload) ?? {};
  if (claims['iss'] !== secretTokenIssuer) return undefined;
  const { namespace, secretName, accountName, accountUid } = secretTokenClaim;
  const text = (claim: string): string => {
    const value = claims[claim];
    return typeof value === 'string' ? value : '';
  };
  const names = [text('sub'), text(namespace), text(secretName), text(accountName), text(accountUid)];
  if (names.includes('')) return undefined;
  return {
    issuer: secretTokenIssuer,
    subject: text('sub'),
    audiences: apiAudiences,
    expires: Number.POSITIVE_INFINITY,
    notBefore: undefined,
    warnAfter: undefined,
    namespace: text(namespace),
    serviceAccount: { name: text(accountName), uid: text(accountUid) },
    pod: undefined,
    secret: undefined,
    heldBy: text(secretName),
  };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // Checked: an object that is no array.
    : undefined;
}

function objectReference(value: unknown): BoundObject | undefined {
  const { name, uid } = record(value) ?? {};
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
}

function audienceList(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined;
}
