import { bootstrapTokenFrom } from '@binnacle/api-types';
import type { Secret } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { deleteUnlessChanged } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { untilExpiry } from './until-expiry.ts';

/** Options of deleting expired tokens. */
interface ExpiryOptions {
  readonly client: Pick<ApiClient, 'request'>;
  readonly clock: () => number;
}

const resource = { group: '', version: 'v1', resource: 'secrets' };

/**
 * Deletes the Secret of a bootstrap token that has expired, or whose expiration is no time; schedules the next pass over another one
 * for its expiration (spec 2, "States and transitions").
 */
export async function deleteExpiredToken(
  secret: Secret | undefined,
  { client, clock }: ExpiryOptions,
  signal: AbortSignal,
): Promise<Reconciled> {
  const token = secret && bootstrapTokenFrom(secret);
  if (secret === undefined || token === undefined || secret.metadata.deletionTimestamp) return done;
  const afterMs = untilExpiry([token], clock());
  if (token.expiresAt > clock()) return afterMs === undefined ? done : { kind: 'again', afterMs };
  await deleteUnlessChanged({ resource, object: secret }, client, signal);
  return done;
}
