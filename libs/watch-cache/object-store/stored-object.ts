import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, measureRest } from '@binnacle/codecs';
import type { Revision, StorageKey } from '@binnacle/storage-contract';
import type { CachedObject } from '../contract/contract.ts';
import { sameStoredLabels, storedLabel, storedLabels } from './stored-labels.ts';

/** Parts of a stored object. */
export interface StoredObjectParts {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** Kept without a copy: it must not be a view into a larger buffer. */
  readonly stored: Buffer;
}

/** One version of one object; see `CachedObject`. */
export class StoredObject implements CachedObject {
  readonly key: StorageKey;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly stored: Buffer;
  readonly restLength: number;
  readonly #definition: ResourceDefinition;
  #labels: Readonly<Record<string, string>> | undefined;
  #fields: Readonly<Record<string, string>> | undefined;
  #derived: Map<symbol, unknown> | undefined;

  /** `another` is another version of the same object, whose key, namespace and name strings are shared. */
  constructor(definition: ResourceDefinition, parts: StoredObjectParts, another?: StoredObject) {
    if (another === undefined) {
      const start = definition.storagePrefix.length;
      const slash = parts.key.indexOf('/', start);
      this.key = parts.key;
      this.namespace = parts.key.slice(start, slash);
      this.name = parts.key.slice(slash + 1);
    } else {
      this.key = another.key;
      this.namespace = another.namespace;
      this.name = another.name;
    }
    this.revision = parts.revision;
    this.stored = parts.stored;
    this.restLength = measureRest(parts.stored);
    this.#definition = definition;
  }

  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= storedLabels(this.stored);
    return this.#labels;
  }

  /** Returns the labels without caching them: an index reads each version only once. */
  readLabels(): Readonly<Record<string, string>> {
    return this.#labels ?? storedLabels(this.stored);
  }

  /** Returns the value of one label, its name encoded by `storedLabelName`, without reading the other labels. */
  readLabel(name: Buffer): string | undefined {
    return storedLabel(this.stored, name);
  }

  get fields(): Readonly<Record<string, string>> {
    this.#fields ??= {
      // Kinds whose only selectable fields are name and namespace are not parsed.
      ...this.#definition.rules.selectableFields?.(this.parse()),
      'metadata.name': this.name,
      'metadata.namespace': this.namespace,
    };
    return this.#fields;
  }

  parse(): ApiObject {
    return decodeStored(this.stored, this.revision);
  }

  derived<T>(slot: symbol, compute: (object: CachedObject) => T): T {
    this.#derived ??= new Map();
    if (this.#derived.has(slot)) return this.#derived.get(slot) as T; // A slot belongs to one computation.
    const value = compute(this);
    this.#derived.set(slot, value);
    return value;
  }
}

/** Whether two objects have equal label bytes; false does not prove that the labels differ. */
export function haveSameLabels(one: StoredObject, other: StoredObject): boolean {
  return sameStoredLabels(one.stored, other.stored);
}

/** Returns bytes that keep no larger buffer alive: copies slices of pools and views into messages. */
export function ownCopy(bytes: Uint8Array): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return Buffer.from(bytes.buffer, 0, bytes.byteLength);
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
