import { timestampFrom } from '@binnacle/api-objects';
import type { CustomResourceDefinitionStatus } from '../generated/apiextensions/v1.ts';

/** One thing that holds, or does not, of a definition. */
export interface DefinitionCondition {
  readonly type: 'NamesAccepted' | 'Established' | 'Terminating' | 'KubernetesAPIApprovalPolicyConformant';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Sets a condition in a status; it keeps the time of its last transition as long as it holds or does not. */
export function setCondition(
  status: CustomResourceDefinitionStatus,
  now: number,
  condition: DefinitionCondition,
): void {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(one => one.type === condition.type);
  const before = conditions[index];
  const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const next = { lastTransitionTime: since ?? timestampFrom(now), ...condition };
  status.conditions = before === undefined ? [...conditions, next] : conditions.with(index, next);
}

/** Whether a condition holds in a status. */
export function conditionHolds(
  status: CustomResourceDefinitionStatus | undefined,
  type: DefinitionCondition['type'],
): boolean {
  return (status?.conditions ?? []).some(one => one.type === type && one.status === 'True');
}
