import { copyJson, isJsonObject, type JsonObject, pathText } from '@binnacle/api-objects';
import type { SchemaMismatch } from '../definitions/message-type.ts';
import { messageNamed } from '../descriptors/messages.ts';
import { containerMismatch, mismatch } from '../type-check/scalar-check.ts';
import { checkTypes } from '../type-check/type-check.ts';

/** The result of checking an embedded object's metadata; paths start at the outer object. */
interface EmbeddedMetadataCheck {
  readonly unknownFields: readonly string[];
  readonly mismatch?: SchemaMismatch;
}

const nothing: EmbeddedMetadataCheck = { unknownFields: [] };

/**
 * Checks apiVersion, kind and metadata of an embedded object at the given path: apiVersion and kind must be strings if present.
 * Metadata is modified like that of every object: unknown fields and nulls are removed, a null element becomes the empty value of
 * its type.
 */
export function checkEmbeddedObject(
  object: JsonObject,
  path: readonly (string | number)[] = [],
): EmbeddedMetadataCheck {
  for (const key of ['apiVersion', 'kind']) {
    const value = object[key];
    // Null counts as absent; where it is not allowed, later validation reports it.
    if (value === undefined || value === null || typeof value === 'string') continue;
    const { found, expected } = mismatch(value, 'string');
    return { unknownFields: [], mismatch: { path: pathText([...path, key]), found, expected } };
  }
  return checkEmbeddedMetadata(object, path);
}

/**
 * Removes apiVersion, kind and members of metadata with a wrong type from an embedded object, because a stored object may be
 * older than the schema that declares the embedded object.
 */
export function dropMalformedMembers(object: JsonObject): void {
  for (const key of ['apiVersion', 'kind']) if (typeof object[key] !== 'string') delete object[key];
  const { metadata } = object;
  if (metadata === undefined) return;
  if (!isJsonObject(metadata)) {
    delete object['metadata'];
    return;
  }
  for (const [name, value] of Object.entries(metadata)) {
    const alone = { metadata: { [name]: copyJson(value) } };
    if (checkEmbeddedMetadata(alone).mismatch !== undefined) delete metadata[name];
  }
}

/**
 * Checks the metadata of an embedded object at the given path and modifies it like that of every object: unknown fields and nulls
 * are removed, a null element becomes the empty value of its type.
 */
export function checkEmbeddedMetadata(
  object: JsonObject,
  path: readonly (string | number)[] = [],
): EmbeddedMetadataCheck {
  const { metadata } = object;
  if (metadata === undefined) return nothing;
  if (metadata === null) {
    delete object['metadata'];
    return nothing;
  }
  const at = pathText([...path, 'metadata']);
  if (!isJsonObject(metadata)) {
    const { found, expected } = containerMismatch(metadata, 'object');
    return { unknownFields: [], mismatch: { path: at, found, expected } };
  }
  const { unknownFields, mismatch: found } = checkTypes(messageNamed('meta.v1.ObjectMeta'), metadata);
  return {
    unknownFields: unknownFields.map(field => `${at}.${field}`),
    ...(found && { mismatch: { ...found, path: `${at}.${found.path}` } }),
  };
}
