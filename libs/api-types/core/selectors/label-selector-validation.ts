import {
  type FieldError,
  type FieldPath,
  type LabelSelector,
  labelSelectorFrom,
  validateLabelSelector,
} from '@binnacle/api-objects';
import type { LabelSelector as SelectorObject } from '../../generated/meta/v1.ts';

/** The findings about a label selector that may be left out. */
export function optionalSelectorErrors(selector: SelectorObject | undefined, path: FieldPath): FieldError[] {
  return selector === undefined ? [] : validateLabelSelector(selector, path);
}

/** A selector ready to be asked; undefined when it is absent or wrong. */
export function validSelector(
  selector: SelectorObject | undefined,
  path: FieldPath,
): LabelSelector | undefined {
  if (selector === undefined || optionalSelectorErrors(selector, path).length > 0) return undefined;
  return labelSelectorFrom(selector);
}

/** A selector ready to be asked, which matches nothing when it is absent; undefined when it is wrong. */
export function selectorFrom(
  selector: SelectorObject | undefined,
  path: FieldPath,
): Pick<LabelSelector, 'matches'> | undefined {
  return selector === undefined ? matchesNothing : validSelector(selector, path);
}

const matchesNothing = { matches: () => false };
