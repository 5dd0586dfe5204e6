import { addQuantities, formatQuantity } from '@binnacle/api-objects';
import type { QuotaState, Usage } from '@binnacle/api-types';
import type { ResourceQuota } from '@binnacle/api-types/core/v1';

/**
 * A quota with a change of usage in its status; `quota` is changed. Amounts that the status does not count yet stay out
 * of it, and none goes below zero. The object must be written even when it stays as it is: a recount under way at that
 * time must conflict with it.
 */
export function chargedQuota(quota: ResourceQuota, state: QuotaState, change: Usage): ResourceQuota {
  const { status } = quota;
  if (status === undefined) return quota;
  status.used ??= {};
  for (const [name, more] of change) {
    const before = state.used.get(name);
    if (before === undefined) continue;
    const after = addQuantities(before, more);
    status.used[name] = after.nanos < 0n ? '0' : formatQuantity(after);
  }
  return quota;
}
