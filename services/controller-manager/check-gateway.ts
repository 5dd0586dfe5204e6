import { groups, namespaces, objects } from '@binnacle/api-names';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';

const timeoutMs = 1_500;
const leasePath = `/apis/${groups.coordination}/v1/namespaces/${namespaces.system}/leases/${objects.controllerLease}`;

/**
 * Rejects while the controllers cannot work: no gateway answers, or none accepts their credentials and permissions. Requests the lease
 * of the election, which does not exist before the first election, from all gateways at once, each by a client of its own; one answer
 * suffices.
 */
export async function checkGateways(
  clients: readonly Pick<ApiClient, 'request'>[],
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    await Promise.any(clients.map(client => checkGateway(client, either)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    over.abort();
  }
}

async function checkGateway(client: Pick<ApiClient, 'request'>, signal: AbortSignal): Promise<void> {
  try {
    await client.request({ method: 'GET', path: leasePath, timeoutMs, signal });
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return;
    throw error;
  }
}
