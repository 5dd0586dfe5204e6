import { namespaces, understood } from '@binnacle/api-names';
import { parseTimestamp } from '@binnacle/api-objects';
import type { Secret } from '../generated/core/v1.ts';

/** The namespace of bootstrap token Secrets. */
export const bootstrapTokenNamespace = namespaces.system;

/** The prefix of the Secret's name, followed by the token ID. */
export const bootstrapTokenPrefix = 'bootstrap-token-';

/** The Secret type in all understood aliases. */
export const bootstrapTokenTypes = understood.secretTypes.bootstrapToken;

/** The content of a bootstrap token Secret (spec 2, "Bootstrap token secret"). Missing texts are empty. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since 1970: infinity without an expiration, minus infinity if it is invalid. */
  readonly expiresAt: number;
  readonly usableForAuthentication: boolean;
  readonly usableForSigning: boolean;
  /** Comma-separated group names as written. */
  readonly extraGroups: string;
}

/** Parses a bootstrap token; undefined for a Secret of another type. */
export function bootstrapTokenFrom(secret: Pick<Secret, 'type' | 'data'>): BootstrapToken | undefined {
  if (!bootstrapTokenTypes.includes(secret.type ?? '')) return undefined;
  const { data = {} } = secret;
  const text = (key: string): string =>
    Object.hasOwn(data, key) ? Buffer.from(data[key] ?? '', 'base64').toString() : '';
  return {
    id: text('token-id'),
    secret: text('token-secret'),
    expiresAt: parseExpiration(text('expiration')),
    usableForAuthentication: text('usage-bootstrap-authentication') === 'true',
    usableForSigning: text('usage-bootstrap-signing') === 'true',
    extraGroups: text('auth-extra-groups'),
  };
}

function parseExpiration(expiration: string): number {
  if (expiration === '') return Number.POSITIVE_INFINITY;
  return parseTimestamp(expiration) ?? Number.NEGATIVE_INFINITY;
}
