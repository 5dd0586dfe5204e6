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

/** The smallest array that exists already and contains all objects of a query, and maybe others; see `Candidates`. */
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

/** Objects in key order: those that were asked for, and whether others follow. */
interface SelectedPage {
  readonly objects: readonly CachedObject[];
  readonly hasMore: boolean;
  readonly remaining: number | undefined;
}

/** The part of a query's objects that is wanted. */
interface PagePart {
  readonly startAfter: string | undefined;
  /** 0: all. */
  readonly limit: number;
  /** Versions to show in place of those that the store has; undefined: the object was not there. */
  readonly versions: ReadonlyMap<string, CachedObject | undefined>;
}

/** A part of the objects of a query in key order. */
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

/** Objects of the store, and versions that stand in the place of some. */
interface MergedObjects {
  /** In key order. */
  readonly candidates: readonly StoredObject[];
  /** The first of them that is wanted. */
  readonly start: number;
  readonly matches: ((object: CachedObject) => boolean) | undefined;
  /** In key order; those that are wanted. */
  readonly earlier: readonly CachedObject[];
  readonly versions: ReadonlyMap<string, CachedObject | undefined>;
}

/** The first ones that match, in key order, and one more where there is one. */
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

/** How many objects there are, where every candidate matches. */
function countObjects({ candidates, start, earlier, versions }: MergedObjects): number {
  let replaced = 0;
  for (const key of versions.keys()) {
    const position = positionAfter(candidates, key) - 1;
    if (position >= start && candidates[position]?.key === key) replaced++;
  }
  return candidates.length - start - replaced + earlier.length;
}

/** The position of the first object with a greater key. */
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
