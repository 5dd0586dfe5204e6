import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
} from '../../generated/core/v1.ts';
import { optionalSelectorErrors } from '../selectors/label-selector-validation.ts';
import { nodeSelectorErrors, nodeSelectorTermErrors } from '../selectors/node-selector-validation.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Validates the affinity of a pod. */
export function affinityErrors(affinity: Affinity, path: FieldPath): FieldError[] {
  return [
    ...nodeAffinityErrors(affinity.nodeAffinity ?? {}, path.child('nodeAffinity')),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap(kind =>
      podAffinityErrors(affinity[kind] ?? {}, path.child(kind)),
    ),
  ];
}

function nodeAffinityErrors(affinity: NodeAffinity, path: FieldPath): FieldError[] {
  const selector = affinity[required];
  return [
    ...(selector ? nodeSelectorErrors(selector, path.child(required)) : []),
    ...(affinity[preferred] ?? []).flatMap((term, index) => {
      const at = path.child(preferred).index(index);
      return [
        ...weightErrors(term.weight ?? 0, at.child('weight')),
        ...nodeSelectorTermErrors(term.preference ?? {}, at.child('preference')),
      ];
    }),
  ];
}

function podAffinityErrors(affinity: PodAffinity | PodAntiAffinity, path: FieldPath): FieldError[] {
  return [
    ...(affinity[required] ?? []).flatMap((term, index) =>
      podTermErrors(term, path.child(required).index(index)),
    ),
    ...(affinity[preferred] ?? []).flatMap((term, index) => {
      const at = path.child(preferred).index(index);
      return [
        ...weightErrors(term.weight ?? 0, at.child('weight')),
        ...podTermErrors(term.podAffinityTerm ?? {}, at.child('podAffinityTerm')),
      ];
    }),
  ];
}

function podTermErrors(term: PodAffinityTerm, path: FieldPath): FieldError[] {
  return [
    ...optionalSelectorErrors(term.labelSelector, path.child('labelSelector')),
    ...optionalSelectorErrors(term.namespaceSelector, path.child('namespaceSelector')),
    ...(term.namespaces ?? []).flatMap(namespace =>
      validateDnsLabel(namespace).map(message => invalidField(path.child('namespace'), namespace, message)),
    ),
    ...topologyKeyErrors(term, path.child('topologyKey')),
  ];
}

/** Validates the node label that defines a topology. */
function topologyKeyErrors({ topologyKey: key = '' }: PodAffinityTerm, path: FieldPath): FieldError[] {
  return [
    ...(key === '' ? [requiredField(path, 'can not be empty')] : []),
    ...validateQualifiedName(key).map(message => invalidField(path, key, message)),
  ];
}

function weightErrors(weight: number, path: FieldPath): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [invalidField(path, weight, 'must be in the range 1-100')];
}
