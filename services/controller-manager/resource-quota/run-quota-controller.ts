import { type ApiClient, Informer } from '@binnacle/client';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { createQuotaApi } from './quota-api.ts';
import { needsCount, reconcileQuota } from './reconcile-quota.ts';

/** Options of the quota controller. */
interface QuotaControllerOptions {
  readonly client: ApiClient;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

const controller = 'resourcequota';
/** Retries of a count that concurrent writes made outdated. */
const retryMs = { firstRetryMs: 20, longestRetryMs: 5_000 };

/**
 * Maintains the status of every ResourceQuota: counts the usage when a quota appears or its limits change, and at regular intervals.
 * Between counts the writes themselves update the usage.
 */
export async function runQuotaController(
  { client, onError }: QuotaControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const known = new Set<string>();
  const queue = new WorkQueue({
    ...retryMs,
    concurrency: 4,
    reconcile: (key, stop) => reconcileQuota(key, createQuotaApi(client, stop)),
    onError: (key, error) => onError(controller, key, error),
  });
  const quotas = new Informer({
    client,
    path: '/api/v1/resourcequotas',
    signal,
    onChange: quota => {
      const { namespace = '', name = '' } = quota.metadata;
      const key = `${namespace}/${name}`;
      if (known.has(key) && !needsCount(quota)) return;
      known.add(key);
      queue.add(key);
    },
    onDelete: ({ metadata: { namespace = '', name = '' } }) => known.delete(`${namespace}/${name}`),
    onError: error => onError('resourcequotas-informer', '', error),
  });
  await Promise.all([quotas.run(), queue.run(signal)]);
}
