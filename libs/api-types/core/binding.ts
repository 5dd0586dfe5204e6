import {
  type ApiObject,
  type FieldError,
  fieldPath,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { asObject, asText } from '../values/json-access.ts';

/** The rules of Binding objects, which put a pod on a node and are not stored themselves. */
export const bindingRules: KindRules = { validate: bindingErrors };

/** The findings about a binding: its target is a node with a name. */
export function bindingErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('target');
  const target = asObject(object['target']) ?? {};
  const kind = asText(target['kind']);
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupportedField(path.child('kind'), kind, ['Node', ''])]),
    ...(asText(target['name']) === '' ? [requiredField(path.child('name'))] : []),
  ];
}
