import { type ApiObject, addQuantities, formatQuantity } from '@binnacle/api-objects';
import { asObject, ensureObject, type QuotaState, type Usage } from '@binnacle/api-types';

/**
 * A quota with a change of usage in its status; `quota` is changed. Amounts that the status does not count yet stay out
 * of it, and none goes below zero. The object must be written even when it stays as it is: a recount under way at that
 * time must conflict with it.
 */
export function chargedQuota(quota: ApiObject, state: QuotaState, change: Usage): ApiObject {
  const status = asObject(quota['status']);
  if (status === undefined) return quota;
  const used = ensureObject(status, 'used');
  for (const [name, more] of change) {
    const before = state.used.get(name);
    if (before === undefined) continue;
    const after = addQuantities(before, more);
    used[name] = after.nanos < 0n ? '0' : formatQuantity(after);
  }
  return quota;
}
