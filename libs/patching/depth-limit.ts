import type { JsonValue } from '@binnacle/api-objects';
import { isContainer } from './json-pointer.ts';

/** Containers may lie within each other this deep in the result of a patch. */
export const depthLimit = 512;

/** Asks whether a value nests deeper than the limit; takes no stack, however deep the value is. */
export function isTooDeep(value: JsonValue): boolean {
  let level = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= depthLimit) return true;
    level = level.flatMap(container => Object.values(container).filter(isContainer));
  }
  return false;
}
