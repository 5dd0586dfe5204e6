import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { createUnlessTerminating } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';

/** The account that every namespace has, and that pods use when they name none. */
export const defaultServiceAccount = 'default';

const resource = { group: '', version: 'v1', resource: 'serviceaccounts' };

/**
 * Makes sure that a live namespace has its default service account (spec 2, "Principals" 1). One that is there
 * already, or a namespace that is going, is no error.
 */
export async function reconcileServiceAccount(
  namespace: ApiObject | undefined,
  client: ApiClient,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { name, deletionTimestamp } = namespace?.metadata ?? {};
  if (name === undefined || deletionTimestamp) return done;
  const metadata = { name: defaultServiceAccount, namespace: name };
  const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  await createUnlessTerminating({ resource, object }, client, signal);
  return done;
}
