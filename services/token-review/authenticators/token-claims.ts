import { type BoundObject, bindingClaim } from '@binnacle/service-kit';

/** The claims of a service-account token that decide on it (spec 2, "Service account token"). */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  /** Seconds since 1970. */
  readonly expires: number;
  readonly notBefore: number | undefined;
  readonly namespace: string;
  readonly serviceAccount: BoundObject;
  readonly pod: BoundObject | undefined;
  readonly secret: BoundObject | undefined;
}

/** Reads claims from a verified payload. Returns undefined where a claim is missing or of another type. */
export function parseTokenClaims(payload: unknown): TokenClaims | undefined {
  const claims = record(payload);
  const binding = record(claims?.[bindingClaim]);
  const serviceAccount = objectReference(binding?.['serviceaccount']);
  const { iss, sub, exp, nbf } = claims ?? {};
  const namespace = binding?.['namespace'];
  const audiences = audienceList(claims?.['aud']);
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') return undefined;
  if (typeof namespace !== 'string' || !serviceAccount || !audiences) return undefined;
  if (nbf !== undefined && typeof nbf !== 'number') return undefined;
  const pod = objectReference(binding?.['pod']);
  const secret = objectReference(binding?.['secret']);
  if ((binding?.['pod'] !== undefined && !pod) || (binding?.['secret'] !== undefined && !secret))
    return undefined;
  return {
    issuer: iss,
    subject: sub,
    audiences,
    expires: exp,
    notBefore: nbf,
    namespace,
    serviceAccount,
    pod,
    secret,
  };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // Checked: an object that is no array.
    : undefined;
}

function objectReference(value: unknown): BoundObject | undefined {
  const reference = record(value);
  const name = reference?.['name'];
  const uid = reference?.['uid'];
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
}

function audienceList(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined;
}
