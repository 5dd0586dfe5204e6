import type { CachedObject } from '../contract/contract.ts';
import type { CompiledQuery, Equality } from './compiled-query.ts';

/** An entry of the index. */
interface Indexed {
  readonly query: CompiledQuery;
}

/** Entries under one value: entries for all namespaces and entries for one. */
class NamespaceBuckets<T> {
  readonly #everywhere = new Set<T>();
  readonly #byNamespace = new Map<string, Set<T>>();

  get isEmpty(): boolean {
    return this.#everywhere.size === 0 && this.#byNamespace.size === 0;
  }

  /**
   * Number of entries that a change in a namespace visits; without a namespace: entries for all namespaces plus the number of
   * namespaces.
   */
  load(namespace: string | undefined): number {
    const { size } = this.#everywhere;
    return (
      size +
      (namespace === undefined ? this.#byNamespace.size : (this.#byNamespace.get(namespace)?.size ?? 0))
    );
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

type Values<T> = Map<string, NamespaceBuckets<T>>;

/**
 * Finds the queries that a change may match without evaluating each query.
 *
 * An entry is stored under one required equality of its query (a name, field or label), under each of its values, and there under
 * its namespace. Of several equalities the one with the fewest entries is used. A lookup uses the object's current and previous
 * labels and the indexed fields. The caller must still match the found entries.
 */
export class QueryIndex<T extends Indexed> {
  readonly #unindexed = new NamespaceBuckets<T>();
  readonly #fields = new Map<string, Values<T>>();
  readonly #labels = new Map<string, Values<T>>();
  readonly #filed = new Map<T, Equality>();

  add(entry: T): void {
    const { demands, namespace } = entry.query;
    const [first, ...others] = demands;
    if (first === undefined) {
      this.#unindexed.add(entry, namespace);
      return;
    }
    let best = first;
    let least = others.length === 0 ? 0 : this.#load(first, namespace);
    for (const demand of others) {
      const load = this.#load(demand, namespace);
      if (load >= least) continue;
      best = demand;
      least = load;
    }
    this.#filed.set(entry, best);
    const tables = this.#chooseTables(best);
    let byValue = tables.get(best.key);
    if (byValue === undefined) {
      byValue = new Map();
      tables.set(best.key, byValue);
    }
    for (const value of best.values) {
      let buckets = byValue.get(value);
      if (buckets === undefined) {
        buckets = new NamespaceBuckets();
        byValue.set(value, buckets);
      }
      buckets.add(entry, namespace);
    }
  }

  remove(entry: T): void {
    const { namespace } = entry.query;
    const demand = this.#filed.get(entry);
    if (demand === undefined) {
      this.#unindexed.remove(entry, namespace);
      return;
    }
    this.#filed.delete(entry);
    const tables = this.#chooseTables(demand);
    const byValue = tables.get(demand.key);
    if (byValue === undefined) return;
    for (const value of demand.values) {
      const buckets = byValue.get(value);
      buckets?.remove(entry, namespace);
      if (buckets?.isEmpty) byValue.delete(value);
    }
    if (byValue.size === 0) tables.delete(demand.key);
  }

  /** Calls back once for every entry that the object or its previous version may match. */
  visit(object: CachedObject, previous: CachedObject | undefined, visitor: (entry: T) => void): void {
    const { namespace } = object;
    const before = previous === object ? undefined : previous;
    this.#unindexed.visit(namespace, visitor);
    for (const [field, byValue] of this.#fields) {
      const value = readField(object, field);
      if (value !== undefined) byValue.get(value)?.visit(namespace, visitor);
      const was = before && readField(before, field);
      if (was !== undefined && was !== value)
        this.#visitBefore(byValue.get(was), { namespace, value }, visitor);
    }
    if (this.#labels.size === 0) return;
    const { labels } = object;
    for (const key of Object.keys(labels))
      this.#labels.get(key)?.get(labels[key]!)?.visit(namespace, visitor); // Among the keys.
    if (before === undefined) return;
    for (const key of Object.keys(before.labels)) {
      const was = before.labels[key]!; // Among the keys.
      const value = textAt(labels, key);
      if (was !== value) this.#visitBefore(this.#labels.get(key)?.get(was), { namespace, value }, visitor);
    }
  }

  /** Visits entries under a previous value, except those that are also stored under the current value. */
  #visitBefore(
    buckets: NamespaceBuckets<T> | undefined,
    { namespace, value }: { readonly namespace: string; readonly value: string | undefined },
    visitor: (entry: T) => void,
  ): void {
    buckets?.visit(namespace, entry => {
      const values = this.#filed.get(entry)?.values ?? [];
      if (values.length === 1 || value === undefined || !values.includes(value)) visitor(entry);
    });
  }

  #chooseTables({ kind }: Equality): Map<string, Values<T>> {
    return kind === 'field' ? this.#fields : this.#labels;
  }

  /** Largest number of entries that a change visits under one of the values. */
  #load(demand: Equality, namespace: string | undefined): number {
    const byValue = this.#chooseTables(demand).get(demand.key);
    let most = 0;
    for (const value of demand.values) most = Math.max(most, byValue?.get(value)?.load(namespace) ?? 0);
    return most;
  }
}

function readField(object: CachedObject, field: string): string | undefined {
  // Does not parse the object.
  return field === 'metadata.name' ? object.name : textAt(object.fields, field);
}

function textAt(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
