import type { ObjectMeta } from '@binnacle/api-objects';

/** The values of an annotation under each key that is understood: each of them counts for something that a pod may not have. */
export function annotationValues({ annotations = {} }: ObjectMeta, keys: readonly string[]): string[] {
  return keys.flatMap(key => annotations[key] ?? []);
}

/** Whether an annotation's text means yes, in any of the forms that existing clients use. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}
