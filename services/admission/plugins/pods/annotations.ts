import type { ObjectMeta } from '@binnacle/api-objects';

/** Collects the values of an annotation under each accepted name: a forbidden value under any of them counts. */
export function annotationValues({ annotations = {} }: ObjectMeta, keys: readonly string[]): string[] {
  return keys.flatMap(key => annotations[key] ?? []);
}

/** Whether the text of an annotation means true, in any form that existing clients use. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}
