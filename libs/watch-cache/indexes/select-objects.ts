import type { CachedObject } from '../contract/contract.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { namespaceRange } from '../object-store/sorted-keys.ts';
import type { StoredObject } from '../object-store/stored-object.ts';
import type { CompiledQuery } from './compiled-query.ts';

/** A superset of the objects of a query. */
interface Candidates {
  /** In key order; later changes of the store do not modify the array. */
  readonly objects: readonly StoredObject[];
  /** Remaining conditions; undefined: all objects match. */
  readonly matches: ((object: CachedObject) => boolean) | undefined;
}

/** Returns the smallest available array that contains all objects of a query, and possibly others. */
export function candidateObjects(
  store: ObjectStore,
  query: CompiledQuery,
  storagePrefix: string,
): readonly StoredObject[] {
  return findCandidates(store, query, storagePrefix).objects;
}

/** Returns the objects of a query in key order. */
export function selectObjects(
  store: ObjectStore,
  query: CompiledQuery,
  storagePrefix: string,
): readonly StoredObject[] {
  const { objects, matches } = findCandidates(store, query, storagePrefix);
  return matches === undefined ? objects : objects.filter(matches);
}

/** A page of objects in key order. */
interface SelectedPage {
  readonly objects: readonly CachedObject[];
  readonly hasMore: boolean;
  readonly remaining: number | undefined;
}

/** The page to select. */
interface PagePart {
  readonly startAfter: string | undefined;
  /** Maximum number of objects; 0: no limit. */
  readonly limit: number;
  /** Versions that replace those of the store, by key; undefined: the object did not exist. */
  readonly versions: ReadonlyMap<string, CachedObject | undefined>;
}

/** Selects one page of the objects of a query in key order. */
export function selectPage(
  store: ObjectStore,
  { query, storagePrefix }: { readonly query: CompiledQuery; readonly storagePrefix: string },
  { startAfter, limit, versions }: PagePart,
): SelectedPage {
  const { objects: candidates, matches } = findCandidates(store, query, storagePrefix);
  const start = startAfter === undefined ? 0 : positionAfter(candidates, startAfter);
  const most = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  if (versions.size === 0 && matches === undefined) {
    const end = Math.min(start + most, candidates.length);
    const remaining = candidates.length - end;
    const objects = end - start === candidates.length ? candidates : candidates.slice(start, end);
    return { objects, hasMore: remaining > 0, remaining: query.isExact ? remaining : undefined };
  }
  const earlier = [...versions.values()]
    .filter(version => version !== undefined)
    .filter(version => (startAfter === undefined || version.key > startAfter) && query.matches(version))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const merged: MergedObjects = { candidates, start, matches, earlier, versions };
  const objects = takeFirst(merged, most);
  const hasMore = objects.length > most;
  if (hasMore) objects.pop();
  return { objects, hasMore, remaining: query.isExact ? countObjects(merged) - objects.length : undefined };
}

/** Objects of the store, with earlier versions in place of changed ones. */
interface MergedObjects {
  /** In key order. */
  readonly candidates: readonly StoredObject[];
  /** Index of the first candidate of the page. */
  readonly start: number;
  readonly matches: ((object: CachedObject) => boolean) | undefined;
  /** Matching earlier versions of the page, in key order. */
  readonly earlier: readonly CachedObject[];
  readonly versions: ReadonlyMap<string, CachedObject | undefined>;
}

/** Returns the first `most` matching objects in key order, and one more if it exists. */
function takeFirst(
  { candidates, start, matches, earlier, versions }: MergedObjects,
  most: number,
): CachedObject[] {
  const objects: CachedObject[] = [];
  let next = 0;
  for (let position = start; position < candidates.length && objects.length <= most; position++) {
    const candidate = candidates[position]!; // Within bounds.
    for (; next < earlier.length && earlier[next]!.key <= candidate.key; next++) objects.push(earlier[next]!); // Within bounds.
    if (!versions.has(candidate.key) && matches?.(candidate) !== false) objects.push(candidate);
  }
  for (; next < earlier.length && objects.length <= most; next++) objects.push(earlier[next]!); // Within bounds.
  if (objects.length > most) objects.length = most + 1;
  return objects;
}

/** Counts the objects; every candidate must match. */
function countObjects({ candidates, start, earlier, versions }: MergedObjects): number {
  let replaced = 0;
  for (const key of versions.keys()) {
    const position = positionAfter(candidates, key) - 1;
    if (position >= start && candidates[position]?.key === key) replaced++;
  }
  return candidates.length - start - replaced + earlier.length;
}

/** Returns the index of the first object with a greater key. */
function positionAfter(objects: readonly StoredObject[], key: string): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (objects[middle]!.key <= key)
      low = middle + 1; // Within bounds.
    else high = middle;
  }
  return low;
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
    const size = namespace === undefined ? store.size : store.sizeOf(namespace);
    const found = store.labels.find(equalities, { range, size });
    if (found !== undefined && found.size < size)
      return { objects: getObjects(store, found.keys()), matches: query.besides(found.requirement) };
  }
  return { objects: namespace === undefined ? store.all() : store.inNamespace(namespace), matches };
}

function getObjects(store: ObjectStore, keys: readonly string[]): StoredObject[] {
  return keys.map(key => store.get(key)!); // An index holds keys of the store alone.
}
