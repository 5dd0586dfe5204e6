import type { CachedObject } from '../contract/contract.ts';
import type { CompiledQuery, Dimension } from './compiled-query.ts';

/** Something that is found by its query. */
interface Indexed {
  readonly query: CompiledQuery;
}

interface DimensionIndex<T> {
  readonly dimension: Dimension;
  readonly byValue: Map<string, NamespaceBuckets<T>>;
}

/** Entries under one value: those for all namespaces and those for one. */
class NamespaceBuckets<T> {
  readonly #everywhere = new Set<T>();
  readonly #byNamespace = new Map<string, Set<T>>();

  get isEmpty(): boolean {
    return this.#everywhere.size === 0 && this.#byNamespace.size === 0;
  }

  add(entry: T, namespace: string | undefined): void {
    if (namespace === undefined) {
      this.#everywhere.add(entry);
      return;
    }
    const bucket = this.#byNamespace.get(namespace);
    if (bucket === undefined) this.#byNamespace.set(namespace, new Set([entry]));
    else bucket.add(entry);
  }

  remove(entry: T, namespace: string | undefined): void {
    if (namespace === undefined) {
      this.#everywhere.delete(entry);
      return;
    }
    const bucket = this.#byNamespace.get(namespace);
    bucket?.delete(entry);
    if (bucket?.size === 0) this.#byNamespace.delete(namespace);
  }

  visit(namespace: string, visitor: (entry: T) => void): void {
    for (const entry of this.#everywhere) visitor(entry);
    const bucket = this.#byNamespace.get(namespace);
    if (bucket !== undefined) for (const entry of bucket) visitor(entry);
  }
}

/**
 * Finds the queries that a change can concern without asking each of them.
 *
 * An entry is filed once: under the most selective equality that its query demands (a name, a field, a label), and
 * there under its namespace. A change is looked up by the values that the object has and had, one lookup for each
 * dimension in use. What is found still has to be asked.
 */
export class QueryIndex<T extends Indexed> {
  readonly #unindexed = new NamespaceBuckets<T>();
  readonly #dimensions = new Map<string, DimensionIndex<T>>();

  add(entry: T): void {
    const { index, namespace } = entry.query;
    if (index === undefined) {
      this.#unindexed.add(entry, namespace);
      return;
    }
    const { dimension, value } = index;
    let filed = this.#dimensions.get(dimension.id);
    if (filed === undefined) {
      filed = { dimension, byValue: new Map() };
      this.#dimensions.set(dimension.id, filed);
    }
    let buckets = filed.byValue.get(value);
    if (buckets === undefined) {
      buckets = new NamespaceBuckets();
      filed.byValue.set(value, buckets);
    }
    buckets.add(entry, namespace);
  }

  remove(entry: T): void {
    const { index, namespace } = entry.query;
    if (index === undefined) {
      this.#unindexed.remove(entry, namespace);
      return;
    }
    const filed = this.#dimensions.get(index.dimension.id);
    const buckets = filed?.byValue.get(index.value);
    if (filed === undefined || buckets === undefined) return;
    buckets.remove(entry, namespace);
    if (buckets.isEmpty) filed.byValue.delete(index.value);
    if (filed.byValue.size === 0) this.#dimensions.delete(index.dimension.id);
  }

  /** Calls back once for every entry that the object, or what it was before, may match. */
  visit(object: CachedObject, previous: CachedObject | undefined, visitor: (entry: T) => void): void {
    this.#unindexed.visit(object.namespace, visitor);
    for (const { dimension, byValue } of this.#dimensions.values()) {
      const value = dimension.valueOf(object);
      if (value !== undefined) byValue.get(value)?.visit(object.namespace, visitor);
      if (previous === undefined || previous === object) continue;
      const before = dimension.valueOf(previous);
      if (before !== undefined && before !== value) byValue.get(before)?.visit(object.namespace, visitor);
    }
  }
}
