import { equalJson } from '@binnacle/api-objects';
import type { Toleration } from '@binnacle/api-types/core/v1';

/** Whether one toleration covers another: every taint that the second one tolerates, the first one tolerates as long. */
export function coversToleration(wide: Toleration, narrow: Toleration): boolean {
  if (equalJson(wide, narrow)) return true;
  if ((wide.key ?? '') !== '' && wide.key !== narrow.key) return false;
  if ((wide.effect ?? '') !== '' && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && endsBefore(wide, narrow)) return false;
  if (operatorOf(wide) === 'Exists') return true;
  return operatorOf(narrow) === 'Equal' && (wide.value ?? '') === (narrow.value ?? '');
}

/** Both lists in one, without what another toleration of them covers; of equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
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

function operatorOf(toleration: Toleration): string {
  return toleration.operator || 'Equal';
}

/** Without a number of seconds a toleration never ends. */
function endsBefore(wide: Toleration, narrow: Toleration): boolean {
  if (wide.tolerationSeconds === undefined) return false;
  const { tolerationSeconds } = narrow;
  return tolerationSeconds === undefined || tolerationSeconds > wide.tolerationSeconds;
}
