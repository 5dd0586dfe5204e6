import { type DefaultsTooLarge, formatApiVersion } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { hasTag, objectPrefix, type ServedBytes, storedParts } from '@binnacle/codecs';
import type { WebhookConverted } from '@binnacle/conversion-webhooks';

declare const inVersion: unique symbol;

/**
 * Bytes of an object, laid out as stored ones are, in the version of a definition, with its defaults and its own names. Functions of
 * this folder alone make them, from stored bytes: code that shows objects takes no others (decision 0055).
 */
export type VersionBytes = Buffer & { readonly [inVersion]: true };

/** The object of stored bytes in the version of a definition. */
export interface VersionForm {
  readonly bytes: VersionBytes;
  /**
   * The reason why it lacks the defaults of its definition, which would make it larger than objects may be; undefined:
   * it has them.
   */
  readonly fault: DefaultsTooLarge | undefined;
  /** When a webhook converted it, in ms since 1970; 0: none did. */
  readonly convertedAt: number;
}

/** A definition whose objects the server itself brings into their version, without waiting. */
export type ServerConverted = ResourceDefinition & { readonly conversionWebhook?: never };

/** Everything that was made of the same bytes for one definition; what is undefined was not made. */
interface Kept {
  form: VersionForm | undefined;
  /** The bytes with the names of the definition's alias. */
  named: ServedBytes | undefined;
  /** The webhook's conversion that is under way. */
  converting: Promise<void> | undefined;
}

/** The forms of the objects of one definition. */
interface DefinitionForms {
  /** The text that the objects of the version begin with. */
  readonly prefix: Buffer;
  /** By the bytes that they were made from. Those belong to the cache and the store; what was made of them lives as long as they do. */
  readonly kept: WeakMap<Uint8Array, Kept>;
}

/** Forms live as long as the definition does, which another one replaces when its rules change. */
const formsByDefinition = new WeakMap<ResourceDefinition, DefinitionForms>();

/** The definition of a kind that no webhook can convert; throws for another one. */
export function serverConverted(definition: ResourceDefinition): ServerConverted {
  if (isServerConverted(definition)) return definition;
  throw new Error(`${definition.resource} are converted by a webhook`);
}

/** Whether no webhook has a part in the objects of a definition. */
export function isServerConverted(definition: ResourceDefinition): definition is ServerConverted {
  return definition.conversionWebhook === undefined;
}

/** Whether stored bytes are an object of the definition as they lie: of its version, and stored under its rules. */
export function isStoredForm({ storage, rules }: ResourceDefinition, stored: Buffer): stored is VersionBytes {
  return storage === undefined && (rules.migration === undefined || hasTag(stored, rules.migration.tag));
}

/** Whether stored bytes are of another version than the definition, so that its webhook has to convert them. */
export function isOfOtherVersion(definition: WebhookConverted, stored: Uint8Array): boolean {
  const { storage, rules } = definition;
  if (storage === undefined && rules.migration !== undefined && hasTag(stored, rules.migration.tag))
    return false;
  const { prefix } = formsFor(definition);
  const { prefixLength, json } = storedParts(stored);
  return prefixLength !== prefix.length || json.compare(prefix, 0, prefixLength, 0, prefixLength) !== 0;
}

/** The form that was made of stored bytes; undefined when none was. */
export function findForm(definition: ResourceDefinition, stored: Uint8Array): VersionForm | undefined {
  return formsByDefinition.get(definition)?.kept.get(stored)?.form;
}

/** Keeps the form of stored bytes, in place of an earlier one. */
export function keepForm(
  definition: ResourceDefinition,
  stored: Uint8Array,
  {
    bytes,
    fault,
    convertedAt = 0,
  }: Omit<VersionForm, 'bytes' | 'convertedAt'> & { bytes: Buffer; convertedAt?: number },
): VersionForm {
  // The callers have made them of an object in the version of the definition.
  const form = { bytes: bytes as VersionBytes, fault, convertedAt };
  findOrKeep(definition, stored).form = form;
  return form;
}

/** The conversion of stored bytes that is under way; undefined for none. */
export function findConversion(definition: WebhookConverted, stored: Uint8Array): Promise<void> | undefined {
  return formsByDefinition.get(definition)?.kept.get(stored)?.converting;
}

/** Notes the conversion of stored bytes that is under way; undefined: it has ended. */
export function noteConversion(
  definition: WebhookConverted,
  stored: Uint8Array,
  converting: Promise<void> | undefined,
): void {
  findOrKeep(definition, stored).converting = converting;
}

/** Bytes with the names of the definition's alias, made once. */
export function namedBytes(
  definition: ResourceDefinition,
  bytes: VersionBytes,
  make: (bytes: VersionBytes) => Buffer,
): ServedBytes {
  const kept = findOrKeep(definition, bytes);
  kept.named ??= make(bytes) as ServedBytes; // in the version, and with the names
  return kept.named;
}

function findOrKeep(definition: ResourceDefinition, bytes: Uint8Array): Kept {
  const { kept } = formsFor(definition);
  let found = kept.get(bytes);
  if (found === undefined) {
    found = { form: undefined, named: undefined, converting: undefined };
    kept.set(bytes, found);
  }
  return found;
}

function formsFor(definition: ResourceDefinition): DefinitionForms {
  let forms = formsByDefinition.get(definition);
  if (forms === undefined) {
    forms = { prefix: objectPrefix(definition.kind, formatApiVersion(definition)), kept: new WeakMap() };
    formsByDefinition.set(definition, forms);
  }
  return forms;
}
