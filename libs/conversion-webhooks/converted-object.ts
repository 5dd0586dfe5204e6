import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
  validateAnnotations,
  validateLabels,
} from '@binnacle/api-objects';

/** The kind and API version of a converted object. */
interface WantedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the object that a conversion webhook converted. The webhook may change labels and annotations; other metadata
 * is copied from the original. Throws an Error with the reason if the object is not the original in the wanted version.
 */
export function convertedObject(original: ApiObject, converted: JsonObject, wanted: WantedKind): ApiObject {
  const { apiVersion = '', kind = '', metadata } = converted;
  if (apiVersion !== wanted.apiVersion)
    throw new Error(`its apiVersion should be ${wanted.apiVersion}, and is ${shown(apiVersion)}`);
  if (kind !== wanted.kind) throw new Error(`its kind should be ${wanted.kind}, and is ${shown(kind)}`);
  if (!isJsonObject(metadata)) throw new Error('it has no metadata');
  for (const name of ['name', 'namespace', 'uid'] as const) assertSame(name, original, metadata);
  const kept = { ...original.metadata };
  const path = fieldPath('metadata');
  setTexts(kept, 'labels', metadata, labels => validateLabels(labels, path.child('labels')));
  setTexts(kept, 'annotations', metadata, texts => validateAnnotations(texts, path.child('annotations')));
  return { ...converted, kind, apiVersion, metadata: kept };
}

function assertSame(name: 'name' | 'namespace' | 'uid', original: ApiObject, metadata: JsonObject): void {
  const before = original.metadata[name] ?? '';
  const after = metadata[name] ?? '';
  if (before !== after)
    throw new Error(`its ${name} should be ${shown(before)} as before, and is ${shown(after)}`);
}

function setTexts(
  kept: ObjectMeta,
  name: 'labels' | 'annotations',
  converted: JsonObject,
  validate: (texts: Record<string, string>) => FieldError[],
): void {
  const sent = converted[name] ?? {};
  if (!isJsonObject(sent)) throw new Error(`its metadata.${name} is not an object`);
  const texts = readTexts(sent, name);
  // Unchanged values are accepted, even if they violate the rules for new ones.
  const [error] = equalJson(texts, kept[name] ?? {}) ? [] : validate(texts);
  if (error !== undefined) throw new Error(`its metadata is not valid: ${error.field}: ${error.detail}`);
  if (Object.keys(texts).length === 0) delete kept[name];
  else kept[name] = texts;
}

function readTexts(sent: JsonObject, name: string): Record<string, string> {
  const entries = Object.entries(sent).map(([key, value]) => {
    if (typeof value !== 'string') throw new Error(`its metadata.${name}[${shown(key)}] is not a string`);
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

function shown(value: JsonValue): string {
  return JSON.stringify(value).slice(0, 128);
}
