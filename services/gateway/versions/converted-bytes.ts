import { apiVersionOf } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { hasTag, objectPrefix, storedParts } from '@binnacle/codecs';
import type { WebhookConverted } from '@binnacle/conversion-webhooks';
import { internalError } from '@binnacle/status-errors';

interface Converted {
  readonly bytes: Buffer;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Results of webhooks by stored bytes: an entry lives as long as the bytes and the rules of the definition do. */
const converted = new WeakMap<ResourceDefinition, WeakMap<Uint8Array, Converted>>();
const prefixes = new WeakMap<ResourceDefinition, Buffer>();

/** Whether stored bytes are of another version than the definition, so that its webhook has to convert them. */
export function isOfOtherVersion(definition: WebhookConverted, stored: Uint8Array): boolean {
  const { storage, rules } = definition;
  if (storage === undefined && rules.migration !== undefined && hasTag(stored, rules.migration.tag))
    return false;
  let prefix = prefixes.get(definition);
  if (prefix === undefined) {
    prefix = objectPrefix(definition.kind, apiVersionOf(definition));
    prefixes.set(definition, prefix);
  }
  const { prefixLength, json } = storedParts(stored);
  return prefixLength !== prefix.length || json.compare(prefix, 0, prefixLength, 0, prefixLength) !== 0;
}

/** When stored bytes were converted to the version of a definition, in ms since 1970; undefined when they were not. */
export function convertedAt(definition: WebhookConverted, stored: Uint8Array): number | undefined {
  return converted.get(definition)?.get(stored)?.at;
}

/** The bytes that stored bytes were converted to. Throws an internal error for bytes that were not converted. */
export function convertedBytes(definition: WebhookConverted, stored: Uint8Array): Buffer {
  const found = converted.get(definition)?.get(stored);
  if (found === undefined) throw internalError(`a ${definition.kind} was read before it was converted`);
  return found.bytes;
}

/** Keeps what stored bytes were converted to. */
export function keepConverted(definition: WebhookConverted, stored: Uint8Array, made: Converted): void {
  const known = converted.get(definition) ?? new WeakMap<Uint8Array, Converted>();
  converted.set(definition, known);
  known.set(stored, made);
}
