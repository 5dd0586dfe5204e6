import { type ApiObject, copyJson } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';

/** The stored bytes of an object; one of a version that is not the stored one is converted first. */
export function storedFrom(definition: ResourceDefinition, object: ApiObject): Buffer {
  const { conversion } = definition.rules;
  if (conversion === undefined) return encodeStored(object);
  const converted = copyJson(object);
  conversion.toStorage(converted);
  return encodeStored(converted);
}

/** The object that stored bytes hold, with its resourceVersion, in the version of the definition. */
export function objectFromStored(
  definition: ResourceDefinition,
  stored: Uint8Array,
  revision: number,
): ApiObject {
  const object = decodeStored(stored, revision);
  definition.rules.conversion?.fromStorage(object);
  return object;
}
