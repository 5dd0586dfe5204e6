import { labelSelectorFrom } from '@binnacle/api-objects';
import { asObject } from '../values/json-access.ts';

/** Writes a structured label selector as selector text; `<none>` for one that is absent or asks for nothing. */
export function labelSelectorText(selector: unknown): string {
  const structured = asObject(selector);
  if (!structured) return '<none>';
  try {
    return labelSelectorFrom(structured).toString() || '<none>';
  } catch {
    return '<error>';
  }
}
