import {
  type FieldError,
  type FieldPath,
  type LabelSelector,
  labelSelectorFrom,
  validateLabelSelector,
} from '@binnacle/api-objects';
import type { LabelSelector as SelectorObject } from '../../generated/meta/v1.ts';

/** Validates an optional label selector. */
export function optionalSelectorErrors(selector: SelectorObject | undefined, path: FieldPath): FieldError[] {
  return selector === undefined ? [] : validateLabelSelector(selector, path);
}

/** Compiles a label selector; undefined if it is absent or invalid. */
export function validSelector(
  selector: SelectorObject | undefined,
  path: FieldPath,
): LabelSelector | undefined {
  if (selector === undefined || optionalSelectorErrors(selector, path).length > 0) return undefined;
  return labelSelectorFrom(selector);
}

/** Compiles a label selector, which matches nothing if it is absent; undefined if it is invalid. */
export function selectorFrom(
  selector: SelectorObject | undefined,
  path: FieldPath,
): Pick<LabelSelector, 'matches'> | undefined {
  return selector === undefined ? matchesNothing : validSelector(selector, path);
}

const matchesNothing = { matches: () => false };
