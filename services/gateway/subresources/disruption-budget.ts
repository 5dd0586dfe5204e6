import { copyJson, labelSelectorFrom, timestampFrom } from '@binnacle/api-objects';
import type { Pod } from '@binnacle/api-types/core/v1';
import type { Condition } from '@binnacle/api-types/meta/v1';
import type { PodDisruptionBudget } from '@binnacle/api-types/policy/v1';
import { forbidden, StatusError } from '@binnacle/status-errors';

/** A pod that is to be evicted. */
interface Evicted {
  readonly pod: Pod;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Evictions that a budget's controller has not confirmed; more are refused. */
const maxUnconfirmed = 2000;
const stillProcessedRetrySeconds = 10;
const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };

/** Whether a budget is about a pod. */
export function coversPod(budget: PodDisruptionBudget, pod: Pod): boolean {
  return labelSelectorFrom(budget.spec?.selector).matches(pod.metadata.labels);
}

/** Whether a pod counts for no budget: it has ended, has not begun, or is on its way out already. */
export function needsNoBudget(pod: Pod): boolean {
  const phase = pod.status?.phase;
  const isLive = phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending';
  return !isLive || pod.metadata.deletionTimestamp !== undefined;
}

/** Whether a pod that is not ready may be evicted without counting a disruption: it is not among the healthy ones. */
export function mayGoUnhealthy({ spec, status = {} }: PodDisruptionBudget, pod: Pod): boolean {
  const isReady = pod.status?.conditions?.some(each => each.type === 'Ready' && each.status === 'True');
  if (isReady === true) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/**
 * The budget after one more eviction: one disruption less is allowed, and the pod is noted until the budget's controller
 * has seen it go. Throws TooManyRequests when none is allowed, or while the controller has not seen the budget's latest
 * state; Forbidden when the budget makes no sense.
 */
export function withDisruption(budget: PodDisruptionBudget, { pod, now }: Evicted): PodDisruptionBudget {
  const { name = '', generation = 0 } = budget.metadata;
  const { status = {} } = budget;
  const { disruptionsAllowed: allowed = 0, disruptedPods: disrupted = {} } = status;
  if ((status.observedGeneration ?? 0) < generation)
    throw violated(
      `The disruption budget ${name} is still being processed by the server.`,
      stillProcessedRetrySeconds,
    );
  if (allowed < 0) throw forbidden(budgets, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disrupted).length > maxUnconfirmed)
    throw forbidden(
      budgets,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  if (allowed === 0)
    throw violated(
      `The disruption budget ${name} needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`,
    );
  const next = copyJson(budget);
  next.status = {
    ...copyJson(status),
    disruptedPods: { ...copyJson(disrupted), [pod.metadata.name ?? '']: timestampFrom(now) },
    disruptionsAllowed: allowed - 1,
    ...(allowed === 1 ? { conditions: withoutAllowance(budget, now) } : {}),
  };
  return next;
}

function violated(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError({
    reason: 'TooManyRequests',
    code: 429,
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });
}

/** The budget's conditions once its last disruption is taken. */
function withoutAllowance({ metadata, status }: PodDisruptionBudget, now: number): Condition[] {
  const others = status?.conditions?.filter(({ type }) => type !== 'DisruptionAllowed') ?? [];
  return [
    ...copyJson(others),
    {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'InsufficientPods',
      message: '',
      observedGeneration: metadata.generation ?? 0,
      lastTransitionTime: timestampFrom(now),
    },
  ];
}
