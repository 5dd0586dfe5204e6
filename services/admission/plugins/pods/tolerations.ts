import { equalJson, type JsonObject } from '@binnacle/api-objects';
import { asNumber, asText } from '@binnacle/api-types';

/** Whether one toleration covers another: every taint that the second one tolerates, the first one tolerates as long. */
export function coversToleration(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true;
  if (asText(wide['key']) !== '' && wide['key'] !== narrow['key']) return false;
  if (asText(wide['effect']) !== '' && wide['effect'] !== narrow['effect']) return false;
  if (wide['effect'] === 'NoExecute' && endsBefore(wide, narrow)) return false;
  if (operatorOf(wide) === 'Exists') return true;
  return operatorOf(narrow) === 'Equal' && asText(wide['value']) === asText(narrow['value']);
}

/** Both lists in one, without what another toleration of them covers; of equal ones the first stays. */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCovered =
      merged.some(kept => coversToleration(kept, toleration)) ||
      all
        .slice(index + 1)
        .some(later => !equalJson(later, toleration) && coversToleration(later, toleration));
    if (!isCovered) merged.push(toleration);
  }
  return merged;
}

function operatorOf(toleration: JsonObject): string {
  return asText(toleration['operator']) || 'Equal';
}

/** Without a number of seconds a toleration never ends. */
function endsBefore(wide: JsonObject, narrow: JsonObject): boolean {
  if (typeof wide['tolerationSeconds'] !== 'number') return false;
  const { tolerationSeconds } = narrow;
  return typeof tolerationSeconds !== 'number' || tolerationSeconds > asNumber(wide['tolerationSeconds']);
}
