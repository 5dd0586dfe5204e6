import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  validateLabelValue,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Taint } from '../../generated/core/v1.ts';

const effects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

/** Validates the taints of a node: pairs of key and effect must be unique. */
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
      ...valueErrors(value, at.child('value')),
      ...effectErrors(effect, at.child('effect')),
      ...(seen.has(identity) ? [duplicateField(at, taint)] : []),
    ];
    seen.add(identity);
    return errors;
  });
}

function effectErrors(effect: string, path: FieldPath): FieldError[] {
  if (effect === '') return [requiredField(path)];
  return effects.includes(effect) ? [] : [notSupportedField(path, effect, effects)];
}

function valueErrors(value: string, path: FieldPath): FieldError[] {
  const messages = validateLabelValue(value);
  return messages.length > 0 ? [invalidField(path, value, messages.join(';'))] : [];
}
