import type { ObjectStore } from '../object-store/object-store.ts';
import type { StoredObject } from '../object-store/stored-object.ts';
import type { CompiledQuery } from './compiled-query.ts';

/**
 * The smallest ready-made array that holds all objects of a query, and maybe others: to be filtered unless
 * `isExact`. In key order; it stays as it is when the store changes.
 */
export function candidateObjects(
  store: ObjectStore,
  query: CompiledQuery,
  storagePrefix: string,
): readonly StoredObject[] {
  const { name, namespace } = query;
  if (name !== undefined) {
    const namespaces = namespace === undefined ? store.namespaces() : [namespace];
    return namespaces
      .map(each => store.get(`${storagePrefix}${each}/${name}`))
      .filter(each => each !== undefined);
  }
  return namespace === undefined ? store.all() : store.inNamespace(namespace);
}

/** The objects of a query in key order. */
export function selectObjects(
  store: ObjectStore,
  query: CompiledQuery,
  storagePrefix: string,
): readonly StoredObject[] {
  const candidates = candidateObjects(store, query, storagePrefix);
  return query.isExact ? candidates : candidates.filter(object => query.matches(object));
}
