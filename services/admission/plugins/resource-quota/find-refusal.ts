import { type ApiObject, addQuantities, compareQuantities, formatQuantity } from '@binnacle/api-objects';
import {
  isCovered,
  namesCounted,
  type QuotaState,
  type Usage,
  type UsageEvaluator,
} from '@binnacle/api-types';

/** A write as one quota sees it. */
interface LimitedWrite {
  readonly quota: QuotaState;
  readonly evaluator: UsageEvaluator;
  /** The new object. */
  readonly object: ApiObject;
  readonly creates: boolean;
  /** The change of usage by the write, of the resources that the quota names. */
  readonly change: Usage;
}

/**
 * Finds the reason for which a quota refuses a write, in Kubernetes' words; undefined when it allows the write. Only the limits in
 * the status count: a quota without them limits nothing yet.
 */
export function findRefusal(write: LimitedWrite): string | undefined {
  const { quota, evaluator, object, creates, change } = write;
  const limited = namesCounted(quota, evaluator).filter(name => quota.hard.has(name));
  if (limited.length === 0 || !isCovered(quota, evaluator, object)) return undefined;
  const unsaid = creates ? evaluator.unsaid(object, limited) : '';
  if (unsaid !== '') return `failed quota: ${quota.name}: ${unsaid}`;
  const requested = limited.filter(name => (change.get(name)?.nanos ?? 0n) > 0n);
  const unknown = (creates ? limited : requested).filter(name => !quota.used.has(name));
  if (unknown.length > 0)
    return `status unknown for quota: ${quota.name}, resources: ${unknown.sort().join(',')}`;
  const exceeded = requested.filter(name => isExceeded(name, write)).sort();
  if (exceeded.length === 0) return undefined;
  const [more, used, hard] = [change, quota.used, quota.hard].map(usage => amountsText(exceeded, usage));
  return `exceeded quota: ${quota.name}, requested: ${more}, used: ${used}, limited: ${hard}`;
}

function isExceeded(name: string, { quota, change }: LimitedWrite): boolean {
  const [used, more, hard] = [quota.used, change, quota.hard].map(usage => usage.get(name));
  return (
    used !== undefined &&
    more !== undefined &&
    hard !== undefined &&
    compareQuantities(addQuantities(used, more), hard) > 0
  );
}

function amountsText(names: readonly string[], usage: Usage): string {
  return names
    .map(name => {
      const amount = usage.get(name);
      return `${name}=${amount === undefined ? '0' : formatQuantity(amount)}`;
    })
    .join(',');
}
