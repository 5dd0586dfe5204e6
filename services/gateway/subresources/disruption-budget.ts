import {
  type ApiObject,
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  labelSelectorFrom,
  timestampFrom,
} from '@binnacle/api-objects';
import { forbidden, StatusError } from '@binnacle/status-errors';

/** A pod that is to be evicted. */
interface Evicted {
  readonly pod: ApiObject;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Evictions that a budget's controller has not confirmed; more are refused. */
const maxUnconfirmed = 2000;
const stillProcessedRetrySeconds = 10;
const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };

/** Whether a budget is about a pod. */
export function coversPod(budget: ApiObject, pod: ApiObject): boolean {
  return labelSelectorFrom(partOf(budget, 'spec')['selector']).matches(pod.metadata.labels);
}

/** Whether a pod counts for no budget: it has ended, has not begun, or is on its way out already. */
export function needsNoBudget(pod: ApiObject): boolean {
  const { phase } = partOf(pod, 'status');
  const isLive = phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending';
  return !isLive || pod.metadata.deletionTimestamp !== undefined;
}

/** Whether a pod that is not ready may go without a disruption being counted: it does not add to what is healthy. */
export function mayGoUnhealthy(budget: ApiObject, pod: ApiObject): boolean {
  if (isReady(pod)) return false;
  if (partOf(budget, 'spec')['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return true;
  const status = partOf(budget, 'status');
  const desired = numberOf(status['desiredHealthy']);
  return desired > 0 && numberOf(status['currentHealthy']) >= desired;
}

/**
 * The budget after one more eviction: one disruption less is allowed, and the pod is noted until the budget's controller
 * has seen it go. Throws TooManyRequests when none is allowed, or while the controller has not seen the budget's latest
 * state; Forbidden when the budget makes no sense.
 */
export function withDisruption(budget: ApiObject, { pod, now }: Evicted): ApiObject {
  const { name = '', generation = 0 } = budget.metadata;
  const status = partOf(budget, 'status');
  const allowed = numberOf(status['disruptionsAllowed']);
  if (numberOf(status['observedGeneration']) < generation)
    throw violated(
      `The disruption budget ${name} is still being processed by the server.`,
      stillProcessedRetrySeconds,
    );
  if (allowed < 0) throw forbidden(budgets, name, 'pdb disruptions allowed is negative');
  const disrupted = isJsonObject(status['disruptedPods']) ? status['disruptedPods'] : {};
  if (Object.keys(disrupted).length > maxUnconfirmed)
    throw forbidden(
      budgets,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  if (allowed === 0)
    throw violated(
      `The disruption budget ${name} needs ${numberOf(status['desiredHealthy'])} healthy pods and has ${numberOf(status['currentHealthy'])} currently`,
    );
  const next = copyJson(budget);
  next['status'] = {
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
function withoutAllowance(budget: ApiObject, now: number): JsonValue[] {
  const { conditions } = partOf(budget, 'status');
  const others = Array.isArray(conditions)
    ? conditions.filter(condition => !isJsonObject(condition) || condition['type'] !== 'DisruptionAllowed')
    : [];
  return [
    ...copyJson(others),
    {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'InsufficientPods',
      message: '',
      observedGeneration: budget.metadata.generation ?? 0,
      lastTransitionTime: timestampFrom(now),
    },
  ];
}

function isReady(pod: ApiObject): boolean {
  const { conditions } = partOf(pod, 'status');
  return (
    Array.isArray(conditions) &&
    conditions.some(
      condition => isJsonObject(condition) && condition['type'] === 'Ready' && condition['status'] === 'True',
    )
  );
}

function partOf(object: ApiObject, key: 'spec' | 'status'): JsonObject {
  const part = object[key];
  return isJsonObject(part) ? part : {};
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
