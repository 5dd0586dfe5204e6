import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  validateDnsSubdomain,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../generated/core/v1.ts';

/** Validates a node selector: at least one term; the terms are alternatives. */
export function nodeSelectorErrors(selector: NodeSelector, path: FieldPath): FieldError[] {
  const at = path.child('nodeSelectorTerms');
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [requiredField(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => nodeSelectorTermErrors(term, at.index(index)));
}

/** Validates one term of a node selector, all of whose requirements must hold. */
export function nodeSelectorTermErrors(term: NodeSelectorTerm, path: FieldPath): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, index) =>
      expressionErrors(requirement, path.child('matchExpressions').index(index)),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, index) =>
      fieldRequirementErrors(requirement, path.child('matchFields').index(index)),
    ),
  ];
}

function expressionErrors(requirement: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const key = requirement.key ?? '';
  return [
    ...valueCountErrors(requirement, path),
    ...validateQualifiedName(key).map(message => invalidField(path.child('key'), key, message)),
  ];
}

function valueCountErrors(requirement: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const at = path.child('values');
  const count = (requirement.values ?? []).length;
  switch (requirement.operator ?? '') {
    case 'In':
    case 'NotIn':
      return count === 0 ? [requiredField(at, "must be specified when `operator` is 'In' or 'NotIn'")] : [];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [requiredField(at, "must be exactly one value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [
        invalidField(path.child('operator'), requirement.operator ?? '', 'not a valid selector operator'),
      ];
  }
}

/** Only the field metadata.name is supported. */
function fieldRequirementErrors(requirement: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const operator = requirement.operator ?? '';
  const key = requirement.key ?? '';
  const values = requirement.values ?? [];
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalidField(path.child('operator'), operator, "must be 'In' or 'NotIn'"));
  else if (values.length !== 1)
    errors.push(
      requiredField(path.child('values'), "must be only one value when `operator` is 'In' or 'NotIn'"),
    );
  if (key !== 'metadata.name')
    return [...errors, invalidField(path.child('key'), key, "must be 'metadata.name'")];
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      validateDnsSubdomain(value).map(message =>
        invalidField(path.child('values').index(index), value, message),
      ),
    ),
  ];
}
