import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateLabelValue,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Taint } from '../../generated/core/v1.ts';

/** The findings about the taints of a node: one of each key and effect; closed sets are checked elsewhere. */
export function taintErrors(taints: readonly Taint[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = path.index(index);
    const key = taint.key ?? '';
    const value = taint.value ?? '';
    const effect = taint.effect ?? '';
    const identity = `${key}:${effect}`;
    const errors = [
      ...validateQualifiedName(key).map(message => invalidField(at.child('key'), key, message)),
      ...validateLabelValue(value).map(message => invalidField(at.child('value'), value, message)),
      ...(effect === '' ? [requiredField(at.child('effect'))] : []),
      ...(seen.has(identity) ? [duplicateField(at, taint)] : []),
    ];
    seen.add(identity);
    return errors;
  });
}
