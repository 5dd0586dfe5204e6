import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { createUnlessTerminating } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';

/** The default account of a namespace, for pods that name none. */
export const defaultServiceAccount = 'default';

const resource = { group: '', version: 'v1', resource: 'serviceaccounts' };

/**
 * Makes sure that a live namespace has its default service account (spec 2, "Principals" 1). An existing account, and a namespace that
 * is being deleted, are no errors.
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
