import { type FieldError, fieldPath, notSupportedField, requiredField } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Binding } from '../generated/core/v1.ts';

/** The rules of Binding objects, which assign a pod to a node and are not stored. */
export const bindingRules: KindRules<Binding> = { validate: bindingErrors };

/** Validates a binding: its target must be a node with a name. */
function bindingErrors(object: Binding): FieldError[] {
  const path = fieldPath('target');
  const target = object.target ?? {};
  const kind = target.kind ?? '';
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupportedField(path.child('kind'), kind, ['Node', ''])]),
    ...((target.name ?? '') === '' ? [requiredField(path.child('name'))] : []),
  ];
}
