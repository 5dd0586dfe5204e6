import type { CachedObject } from '../contract/contract.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { namespaceRange } from '../object-store/sorted-keys.ts';
import type { StoredObject } from '../object-store/stored-object.ts';
import type { CompiledQuery } from './compiled-query.ts';

/** Objects among which all of a query are. */
interface Candidates {
  /** In key order; the array stays as it is when the store changes. */
  readonly objects: readonly StoredObject[];
  /** The conditions left to check; undefined: all of them match. */
  readonly matches: ((object: CachedObject) => boolean) | undefined;
}

/** The smallest array that can be had at once and holds all objects of a query, and maybe others; see `Candidates`. */
export function candidateObjects(
  store: ObjectStore,
  query: CompiledQuery,
  storagePrefix: string,
): readonly StoredObject[] {
  return findCandidates(store, query, storagePrefix).objects;
}

/** The objects of a query in key order. */
export function selectObjects(
  store: ObjectStore,
  query: CompiledQuery,
  storagePrefix: string,
): readonly StoredObject[] {
  const { objects, matches } = findCandidates(store, query, storagePrefix);
  return matches === undefined ? objects : objects.filter(matches);
}

function findCandidates(store: ObjectStore, query: CompiledQuery, storagePrefix: string): Candidates {
  const { name, namespace, equalities } = query;
  const matches = query.isExact ? undefined : query.matches;
  if (name !== undefined) {
    const namespaces = namespace === undefined ? store.namespaces() : [namespace];
    const objects = namespaces
      .map(each => store.get(`${storagePrefix}${each}/${name}`))
      .filter(each => each !== undefined);
    return { objects, matches };
  }
  if (equalities.length > 0) {
    const range = namespace === undefined ? undefined : namespaceRange(storagePrefix, namespace);
    const found = store.labels.find(equalities, range);
    const all = namespace === undefined ? store.size : store.sizeOf(namespace);
    store.labels.lookedAt(equalities, Math.min(all, found?.size ?? all));
    if (found !== undefined && found.size < all)
      return { objects: objectsOf(store, found.keys()), matches: query.besides(found.requirement) };
  }
  return { objects: namespace === undefined ? store.all() : store.inNamespace(namespace), matches };
}

function objectsOf(store: ObjectStore, keys: readonly string[]): StoredObject[] {
  return keys.map(key => store.get(key)!); // An index holds keys of the store alone.
}
