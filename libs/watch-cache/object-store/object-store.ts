import type { StorageKey } from '@binnacle/storage-contract';
import { LabelIndexes } from './label-indexes.ts';
import { NamespaceObjects } from './namespace-objects.ts';
import type { StoredObject } from './stored-object.ts';

const noObjects: readonly StoredObject[] = Object.freeze([]);

/**
 * All objects of one type, by key and in key order.
 *
 * Lists return shared arrays: a list of an unchanged type costs nothing, the first list after a change copies references once.
 * `labels` indexes frequently searched labels.
 */
export class ObjectStore {
  readonly #byKey = new Map<string, StoredObject>();
  readonly #namespaces = new Map<string, NamespaceObjects>();
  #order: NamespaceObjects[] | undefined;
  #all: readonly StoredObject[] | undefined;
  #version = 0;
  readonly labels: LabelIndexes = new LabelIndexes(this);

  get size(): number {
    return this.#byKey.size;
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  get(key: StorageKey | string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  /** Returns every object, unordered. */
  values(): Iterable<StoredObject> {
    return this.#byKey.values();
  }

  /** Returns every namespace that has objects, in key order. */
  namespaces(): readonly string[] {
    return this.#ordered().map(objects => objects.namespace);
  }

  /** Returns all objects in key order, in an array that later changes do not modify. */
  all(): readonly StoredObject[] {
    this.#all ??= this.#merge();
    return this.#all;
  }

  /** Returns the objects of a namespace in order of name, in an array that later changes do not modify. */
  inNamespace(namespace: string): readonly StoredObject[] {
    return this.#namespaces.get(namespace)?.snapshot() ?? noObjects;
  }

  /** Number of objects in a namespace. */
  sizeOf(namespace: string): number {
    return this.#namespaces.get(namespace)?.size ?? 0;
  }

  /** Adds or replaces an object; returns the replaced version. */
  put(object: StoredObject): StoredObject | undefined {
    const previous = this.#byKey.get(object.key);
    this.#byKey.set(object.key, object);
    let objects = this.#namespaces.get(object.namespace);
    if (objects === undefined) {
      objects = new NamespaceObjects(object.namespace);
      this.#namespaces.set(object.namespace, objects);
      this.#order = undefined;
    }
    objects.put(object);
    this.labels.replace(previous, object);
    this.#changed();
    return previous;
  }

  /** Removes an object and returns it; undefined if there is none. */
  delete(key: StorageKey): StoredObject | undefined {
    const previous = this.#byKey.get(key);
    if (previous === undefined) return undefined;
    this.#byKey.delete(key);
    const objects = this.#namespaces.get(previous.namespace);
    objects?.delete(previous.name);
    if (objects?.size === 0) {
      this.#namespaces.delete(previous.namespace);
      this.#order = undefined;
    }
    this.labels.replace(previous, undefined);
    this.#changed();
    return previous;
  }

  #changed(): void {
    this.#all = undefined;
    this.#version++;
  }

  #ordered(): NamespaceObjects[] {
    // In keys a slash follows the namespace; it sorts after "-" and ".".
    this.#order ??= [...this.#namespaces.values()].sort((a, b) =>
      `${a.namespace}/` < `${b.namespace}/` ? -1 : 1,
    );
    return this.#order;
  }

  #merge(): readonly StoredObject[] {
    const order = this.#ordered();
    if (order.length === 1) return order[0]!.snapshot(); // Its length was checked.
    const all: StoredObject[] = [];
    for (const objects of order) for (const object of objects.snapshot()) all.push(object);
    return all;
  }
}
