import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { encodeYaml } from '@binnacle/codecs/texts';

/** A document as JSON, four spaces deep as kubectl writes it, or as YAML. */
export function documentText(document: JsonObject, form: 'json' | 'yaml'): string {
  return form === 'json' ? `${JSON.stringify(document, undefined, 4)}\n` : encodeYaml(document);
}

/** An object without the record of its field managers, which hides all else from a reader. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Several objects as one document. */
export function createList(items: readonly JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: [...items] };
}
