import {
  type FieldError,
  type FieldPath,
  type JsonValue,
  type LabelSelector,
  labelSelectorFrom,
  validateLabelSelector,
} from '@binnacle/api-objects';
import { asObject } from '../../values/json-access.ts';

/** The findings about a label selector that may be left out. */
export function optionalSelectorErrors(selector: JsonValue | undefined, path: FieldPath): FieldError[] {
  return asObject(selector) === undefined ? [] : validateLabelSelector(selector ?? {}, path);
}

/** A selector ready to be asked; undefined when it is absent or wrong. */
export function validSelector(selector: JsonValue | undefined, path: FieldPath): LabelSelector | undefined {
  if (asObject(selector) === undefined || optionalSelectorErrors(selector, path).length > 0) return undefined;
  return labelSelectorFrom(selector);
}
