import { compareQuantities } from '@binnacle/api-objects';
import { quotaStateFrom, type Usage } from '@binnacle/api-types';
import type { ResourceQuota } from '@binnacle/api-types/core/v1';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { countUsage } from './count-usage.ts';
import type { QuotaApi } from './quota-api.ts';
import { mergeCounts, writeCounts } from './write-counts.ts';

/** Milliseconds between regular recounts. */
const resyncMs = 5 * 60_000;
/**
 * Milliseconds after a change of the limits until another count: by then every part of the server has the new limits, and the count
 * includes writes through a part that did not.
 */
const settleMs = 5_000;

/** Counts the usage of a quota and writes it into the status, with the limits of the spec, unless the status is up to date. */
export async function reconcileQuota(key: string, api: QuotaApi): Promise<Reconciled> {
  const [namespace = '', name = ''] = key.split('/');
  const quota = await api.quota(namespace, name);
  if (quota === undefined) return done;
  const hard = quota.spec?.hard ?? {};
  const { scopes, used } = quotaStateFrom(quota);
  const counts = await countUsage({ names: Object.keys(hard), scopes }, { namespace, api });
  const changesLimits = needsCount(quota);
  if (changesLimits || !isSameUsage(mergeCounts(counts), used)) {
    if (!(await writeCounts({ quota, counts }, api))) return retry;
  }
  return { kind: 'again', afterMs: changesLimits ? settleMs : resyncMs };
}

/** Whether the limits in the status differ from those in the spec. */
export function needsCount(quota: ResourceQuota): boolean {
  const wanted = quota.spec?.hard ?? {};
  const held = quota.status?.hard;
  const names = Object.keys(wanted);
  return (
    held === undefined ||
    names.length !== Object.keys(held).length ||
    names.some(name => held[name] !== wanted[name])
  );
}

function isSameUsage(a: Usage, b: Usage): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, amount]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(amount, other) === 0;
  });
}
