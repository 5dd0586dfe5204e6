import { groups, namespaces, objects } from '@binnacle/api-names';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';

const timeoutMs = 1_500;
const leasePath = `/apis/${groups.coordination}/v1/namespaces/${namespaces.system}/leases/${objects.controllerLease}`;

/**
 * Rejects while the controllers cannot work: no gateway answers, or it does not take their credentials or lacks their
 * rights. Asks for the lease that they elect by; there is none before the first election.
 */
export async function checkGateway(client: ApiClient, signal: AbortSignal): Promise<void> {
  try {
    await client.request({ method: 'GET', path: leasePath, timeoutMs, signal });
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return;
    throw error;
  }
}
