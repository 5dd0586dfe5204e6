import { isNumber } from '@binnacle/api-objects';
import { qosClassFromSpec } from '../core/pod/pod-qos.ts';
import type { Pod, PodSpec } from '../generated/core/v1.ts';
import type { ScopeRequirement } from './usage-evaluator.ts';

/** Whether a pod is in a quota scope; no pod is in an unknown scope. */
export function isInPodScope(pod: Pod, requirement: ScopeRequirement): boolean {
  const spec = pod.spec ?? {};
  switch (requirement.scope) {
    case 'Terminating':
      return hasEnd(spec);
    case 'NotTerminating':
      return !hasEnd(spec);
    case 'BestEffort':
      return qosClassFromSpec(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassFromSpec(spec) !== 'BestEffort';
    case 'PriorityClass':
      return isOfClass(spec.priorityClassName ?? '', requirement);
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(spec);
    default:
      return false;
  }
}

/** Whether a pod has a deadline. */
function hasEnd(spec: PodSpec): boolean {
  const deadline = spec.activeDeadlineSeconds;
  return isNumber(deadline) && deadline >= 0;
}

function isOfClass(name: string, { operator, values }: ScopeRequirement): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    default:
      return false;
  }
}

/** Whether the affinity of a pod refers to pods of other namespaces. */
function looksElsewhere(spec: PodSpec): boolean {
  const affinity = spec.affinity ?? {};
  return (['podAffinity', 'podAntiAffinity'] as const).some(kind => {
    const rules = affinity[kind] ?? {};
    const required = rules.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = (rules.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      term => term.podAffinityTerm ?? {},
    );
    return [...required, ...preferred].some(
      term => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined,
    );
  });
}
