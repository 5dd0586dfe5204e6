import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asList, asObjects, asText, asTexts } from '../values/json-access.ts';

/** The findings about a node selector: at least one term, of which any one must hold. */
export function nodeSelectorErrors(selector: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('nodeSelectorTerms');
  const terms = asObjects(selector['nodeSelectorTerms']);
  if (terms.length === 0) return [requiredField(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => nodeSelectorTermErrors(term, at.index(index)));
}

/** The findings about one term of a node selector, all of whose requirements must hold; closed sets are checked elsewhere. */
export function nodeSelectorTermErrors(term: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...asObjects(term['matchExpressions']).flatMap((requirement, index) =>
      expressionErrors(requirement, path.child('matchExpressions').index(index)),
    ),
    ...asObjects(term['matchFields']).flatMap((requirement, index) =>
      fieldRequirementErrors(requirement, path.child('matchFields').index(index)),
    ),
  ];
}

function expressionErrors(requirement: JsonObject, path: FieldPath): FieldError[] {
  const key = asText(requirement['key']);
  return [
    ...valueCountErrors(requirement, path),
    ...validateQualifiedName(key).map(message => invalidField(path.child('key'), key, message)),
    ...asTexts(requirement['values']).flatMap((value, index) =>
      validateLabelValue(value).map(message =>
        invalidField(path.child('values').index(index), value, message),
      ),
    ),
  ];
}

function valueCountErrors(requirement: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('values');
  const count = asList(requirement['values']).length;
  switch (asText(requirement['operator'])) {
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
    case '':
      return [invalidField(path.child('operator'), '', 'is not an operator of node selectors')];
    default:
      return [];
  }
}

/** Only the name of a node can be asked for. */
function fieldRequirementErrors(requirement: JsonObject, path: FieldPath): FieldError[] {
  const operator = asText(requirement['operator']);
  const key = asText(requirement['key']);
  const values = asTexts(requirement['values']);
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
