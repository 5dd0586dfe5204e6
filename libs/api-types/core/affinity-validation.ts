import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsLabel,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { optionalSelectorErrors } from './label-selector-validation.ts';
import { nodeSelectorErrors, nodeSelectorTermErrors } from './node-selector-validation.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The findings about where a pod must, or had better, be placed. */
export function affinityErrors(affinity: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...nodeAffinityErrors(asObject(affinity['nodeAffinity']) ?? {}, path.child('nodeAffinity')),
    ...['podAffinity', 'podAntiAffinity'].flatMap(kind =>
      podAffinityErrors(asObject(affinity[kind]) ?? {}, path.child(kind)),
    ),
  ];
}

function nodeAffinityErrors(affinity: JsonObject, path: FieldPath): FieldError[] {
  const selector = asObject(affinity[required]);
  return [
    ...(selector ? nodeSelectorErrors(selector, path.child(required)) : []),
    ...asObjects(affinity[preferred]).flatMap((term, index) => {
      const at = path.child(preferred).index(index);
      return [
        ...weightErrors(term, at),
        ...nodeSelectorTermErrors(asObject(term['preference']) ?? {}, at.child('preference')),
      ];
    }),
  ];
}

function podAffinityErrors(affinity: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...asObjects(affinity[required]).flatMap((term, index) =>
      podTermErrors(term, path.child(required).index(index)),
    ),
    ...asObjects(affinity[preferred]).flatMap((term, index) => {
      const at = path.child(preferred).index(index);
      return [
        ...weightErrors(term, at),
        ...podTermErrors(asObject(term['podAffinityTerm']) ?? {}, at.child('podAffinityTerm')),
      ];
    }),
  ];
}

function podTermErrors(term: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...optionalSelectorErrors(term['labelSelector'], path.child('labelSelector')),
    ...optionalSelectorErrors(term['namespaceSelector'], path.child('namespaceSelector')),
    ...asTexts(term['namespaces']).flatMap(namespace =>
      validateDnsLabel(namespace).map(message => invalidField(path.child('namespace'), namespace, message)),
    ),
    ...topologyKeyErrors(term, path),
  ];
}

/** The findings about the label of nodes by which places are told apart. */
export function topologyKeyErrors(holder: JsonObject, path: FieldPath): FieldError[] {
  const key = asText(holder['topologyKey']);
  if (key === '') return [requiredField(path.child('topologyKey'), 'can not be empty')];
  return validateQualifiedName(key).map(message => invalidField(path.child('topologyKey'), key, message));
}

function weightErrors(term: JsonObject, path: FieldPath): FieldError[] {
  const weight = asNumber(term['weight']);
  return weight >= 1 && weight <= 100
    ? []
    : [invalidField(path.child('weight'), weight, 'must be in the range 1-100')];
}
