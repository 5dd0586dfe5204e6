import { timestampFrom } from '@binnacle/api-objects';
import type { CustomResourceDefinitionStatus } from '../generated/apiextensions/v1.ts';

/** A condition of a definition. */
export interface DefinitionCondition {
  readonly type: 'NamesAccepted' | 'Established' | 'Terminating' | 'KubernetesAPIApprovalPolicyConformant';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Sets a condition in a status; the time of its last transition is kept while its status does not change. */
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

/** Whether a condition of a status is True. */
export function conditionHolds(
  status: CustomResourceDefinitionStatus | undefined,
  type: DefinitionCondition['type'],
): boolean {
  return (status?.conditions ?? []).some(one => one.type === type && one.status === 'True');
}
