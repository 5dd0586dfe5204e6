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
  const { iss, sub, aud, exp, nbf, [bindingClaim]: binding } = record(payload) ?? {};
  const { namespace, serviceaccount, pod: boundPod, secret: boundSecret } = record(binding) ?? {};
  const serviceAccount = objectReference(serviceaccount);
  const audiences = audienceList(aud);
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') return undefined;
  if (typeof namespace !== 'string' || !serviceAccount || !audiences) return undefined;
  if (nbf !== undefined && typeof nbf !== 'number') return undefined;
  const pod = objectReference(boundPod);
  const secret = objectReference(boundSecret);
  if ((boundPod !== undefined && !pod) || (boundSecret !== undefined && !secret)) return undefined;
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
  const { name, uid } = record(value) ?? {};
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
}

function audienceList(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined;
}
