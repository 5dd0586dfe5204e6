import { namespaces, understood } from '@binnacle/api-names';
import { parseTimestamp } from '@binnacle/api-objects';
import type { Secret } from '../generated/core/v1.ts';

/** The namespace whose Secrets hold bootstrap tokens. */
export const bootstrapTokenNamespace = namespaces.system;

/** The prefix of the name of such a Secret; the id of its token follows. */
export const bootstrapTokenPrefix = 'bootstrap-token-';

/** The type of such a Secret, in each alias that is understood. */
export const bootstrapTokenTypes = understood.secretTypes.bootstrapToken;

/** A bootstrap token as its Secret holds it (spec 2, "Bootstrap token secret"). Texts that are missing are empty. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since 1970: infinity without an expiration, minus infinity for one that cannot be read. */
  readonly expiresAt: number;
  readonly usableForAuthentication: boolean;
  readonly usableForSigning: boolean;
  /** Names of groups, separated by commas, as they were written. */
  readonly extraGroups: string;
}

/** Reads a bootstrap token; undefined for a Secret of another type. */
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
