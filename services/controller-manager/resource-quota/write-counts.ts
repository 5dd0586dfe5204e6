import {
  addQuantities,
  equalJson,
  formatQuantity,
  quantityFromInteger,
  subtractQuantities,
} from '@binnacle/api-objects';
import { quotaStateFrom, type Usage } from '@binnacle/api-types';
import type { ResourceQuota } from '@binnacle/api-types/core/v1';
import type { TypeCount } from './count-usage.ts';
import type { QuotaApi } from './quota-api.ts';

/** A count, and the quota before it. */
interface CountedQuota {
  readonly quota: ResourceQuota;
  readonly counts: readonly TypeCount[];
}

/** Attempts to write a status while the quota changes between the read and the write. */
const attempts = 20;

/**
 * Writes a count with the limits of the spec; returns false when the quota must be counted again.
 *
 * Every write that changes the usage writes the quota. If the quota has not changed since before the count, the count is the usage. If
 * it has, the quota is read as of the revision of each count: the difference between the status then and now came later, and is added
 * to the count. For names without an amount in the status yet, the count is a first approximation that writes update from then on; the
 * limits come with the next count, which is exact.
 */
export async function writeCounts(counted: CountedQuota, api: QuotaApi): Promise<boolean> {
  const { quota, counts } = counted;
  if (await api.writeStatus(withStatus(quota, hardLimits(quota), mergeCounts(counts)))) return true;
  if (!saysAll(quota, counts)) {
    await writeApproximation(counted, api);
    return false;
  }
  const { namespace = '', name = '' } = quota.metadata;
  const moments: Moment[] = [];
  for (const count of counts) {
    const { resourceVersion } = count;
    if (resourceVersion === undefined) {
      moments.push({ count, said: undefined });
      continue;
    }
    const before = await api.quotaAt(namespace, name, resourceVersion);
    if (before === undefined || !saysAll(before, [count])) return false;
    moments.push({ count, said: quotaStateFrom(before).used });
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = await api.quota(namespace, name);
    if (now === undefined) return true;
    if (!countsTheSame(now, quota) || !saysAll(now, counts)) return false;
    const used = usedNow(moments, quotaStateFrom(now).used);
    if (await api.writeStatus(withStatus(now, hardLimits(now), used))) return true;
  }
  return false;
}

interface Moment {
  readonly count: TypeCount;
  /** The usage in the quota at the revision of the count; undefined for a type that is not served, whose usage cannot change. */
  readonly said: Usage | undefined;
}

const zero = quantityFromInteger(0);

function usedNow(moments: readonly Moment[], now: Usage): Usage {
  const used = new Map<string, typeof zero>();
  for (const { count, said = now } of moments)
    for (const [name, amount] of count.used) {
      const since = subtractQuantities(now.get(name) ?? zero, said.get(name) ?? zero);
      const sum = addQuantities(amount, since);
      used.set(name, sum.nanos < 0n ? zero : sum);
    }
  return used;
}

/** Writes the count for names without an amount in the status, and keeps the other amounts. */
async function writeApproximation({ quota, counts }: CountedQuota, api: QuotaApi): Promise<void> {
  const { namespace = '', name = '' } = quota.metadata;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = await api.quota(namespace, name);
    if (now === undefined) return;
    const held = now.status?.hard ?? {};
    const used = new Map([...mergeCounts(counts), ...quotaStateFrom(now).used]);
    if (await api.writeStatus(withStatus(now, held, used))) return;
  }
}

/** Whether the status has an amount for every counted name. */
function saysAll(quota: ResourceQuota, counts: readonly TypeCount[]): boolean {
  const { used } = quotaStateFrom(quota);
  return counts.every(count => [...count.used.keys()].every(name => used.has(name)));
}

function countsTheSame(a: ResourceQuota, b: ResourceQuota): boolean {
  return a.metadata.uid === b.metadata.uid && equalJson(a.spec ?? {}, b.spec ?? {});
}

/** Merges the usage of all types; each name belongs to one type. */
export function mergeCounts(counts: readonly TypeCount[]): Usage {
  return new Map(counts.flatMap(({ used }) => [...used]));
}

type Amounts = Record<string, string>;

function hardLimits(quota: ResourceQuota): Amounts {
  return quota.spec?.hard ?? {};
}

function withStatus(quota: ResourceQuota, hard: Amounts, used: Usage): ResourceQuota {
  const amounts = Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  return { ...quota, apiVersion: 'v1', kind: 'ResourceQuota', status: { hard, used: amounts } };
}
