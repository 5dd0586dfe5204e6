import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { Reconciled } from '../work-queue/reconciled.ts';

/** The account that every namespace has, and that pods use when they name none. */
export const defaultServiceAccount = 'default';

/**
 * Makes sure that a live namespace has its default service account (spec 2, "Principals" 1). One that is there
 * already, or a namespace that is going, is no error.
 */
export async function reconcileServiceAccount(
  namespace: ApiObject | undefined,
  client: ApiClient,
  signal: AbortSignal,
): Promise<Reconciled> {
  if (!namespace || namespace.metadata.deletionTimestamp) return { kind: 'done' };
  const name = namespace.metadata.name;
  const metadata = { name: defaultServiceAccount, namespace: name };
  try {
    await client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${name}/serviceaccounts`,
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
      signal,
    });
  } catch (error) {
    const isSettled =
      error instanceof StatusError && (error.code === 409 || error.code === 404 || isTerminating(error));
    if (!isSettled) throw error;
  }
  return { kind: 'done' };
}

function isTerminating(error: StatusError): boolean {
  return error.details?.causes?.some(cause => cause.reason === 'NamespaceTerminating') ?? false;
}
