import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { qosClassOf } from '../core/pod-qos.ts';
import { asList, asObject, asObjects, asText } from '../values/json-access.ts';
import type { ScopeRequirement } from './usage-evaluator.ts';

/** Whether a pod is in a scope of quotas; none is in a scope that is not known. */
export function isInPodScope(pod: ApiObject, requirement: ScopeRequirement): boolean {
  const spec = asObject(pod['spec']) ?? {};
  switch (requirement.scope) {
    case 'Terminating':
      return hasEnd(spec);
    case 'NotTerminating':
      return !hasEnd(spec);
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort';
    case 'PriorityClass':
      return isOfClass(asText(spec['priorityClassName']), requirement);
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(spec);
    default:
      return false;
  }
}

/** Whether a pod has only so long to run. */
function hasEnd(spec: JsonObject): boolean {
  const deadline = spec['activeDeadlineSeconds'];
  return typeof deadline === 'number' && deadline >= 0;
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

/** Whether where a pod runs depends on pods of other namespaces. */
function looksElsewhere(spec: JsonObject): boolean {
  const affinity = asObject(spec['affinity']) ?? {};
  return ['podAffinity', 'podAntiAffinity'].some(kind => {
    const rules = asObject(affinity[kind]) ?? {};
    const required = asObjects(rules['requiredDuringSchedulingIgnoredDuringExecution']);
    const preferred = asObjects(rules['preferredDuringSchedulingIgnoredDuringExecution']).map(
      term => asObject(term['podAffinityTerm']) ?? {},
    );
    return [...required, ...preferred].some(
      term => asList(term['namespaces']).length > 0 || asObject(term['namespaceSelector']) !== undefined,
    );
  });
}
