import { resourcePath } from '../discovery/resource-type.ts';
import { UsageError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { locateManifest } from './locate-manifest.ts';
import { createPlace, type Place } from './place.ts';
import { readManifests } from './read-manifests.ts';
import { acceptFor, readAll } from './read-objects.ts';
import { namespaceFor, type Target, targetsFrom } from './targets.ts';

const defaultChunkSize = 500;

/** The flags of a command line that name objects. */
interface PlaceFlags {
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly allNamespaces?: boolean;
  /** Objects that one request reads of a list; 500 when not given. */
  readonly chunkSize?: number | undefined;
  readonly filename: readonly string[];
  readonly recursive: boolean;
}

/** Throws a `UsageError` for words and flags that contradict each other. */
export function checkPlaceFlags(words: readonly string[], flags: PlaceFlags): void {
  const { selector, fieldSelector, allNamespaces, filename } = flags;
  const isSelecting = selector !== undefined || fieldSelector !== undefined;
  if (filename.length > 0 && (words.length > 0 || isSelecting))
    throw new UsageError('when -f is given, no types, names or selectors can be');
  if (!hasNames(words)) return;
  if (isSelecting) throw new UsageError('name cannot be provided when a selector is specified');
  if (allNamespaces) throw new UsageError('a resource cannot be retrieved by name across all namespaces');
}

/** Whether words such as `pods a b` or `pod/a` have names of objects. */
export function hasNames(words: readonly string[]): boolean {
  return words.length > 1 || words.some(word => word.includes('/'));
}

/** The places of the objects of files, of those that the words name, or else of all selected objects of their types. */
export async function findPlaces(
  session: Session,
  words: readonly string[],
  flags: PlaceFlags,
): Promise<Place[]> {
  const places: Place[] = [];
  if (flags.filename.length > 0) {
    const { recursive, filename } = flags;
    for (const manifest of await readManifests(filename, { recursive, input: session.terminal.input }))
      places.push(await locateManifest(session, manifest));
    return places;
  }
  for (const target of await targetsFrom(words, session.discovery)) {
    const { type, names } = target;
    if (names.length === 0) places.push(...(await selectedPlaces(session, target, flags)));
    else places.push(...names.map(name => createPlace(type, session.namespace, name)));
  }
  return places;
}

async function selectedPlaces(
  { client, namespace }: Session,
  { type }: Target,
  { selector = '', fieldSelector = '', allNamespaces = false, chunkSize = defaultChunkSize }: PlaceFlags,
): Promise<Place[]> {
  const selection = {
    path: resourcePath(type, namespaceFor(type, { namespace, allNamespaces })),
    labelSelector: selector,
    fieldSelector,
    accept: acceptFor('name', { single: false }),
  };
  const { items } = await readAll(client, selection, chunkSize);
  return items.map(({ metadata }) => createPlace(type, metadata.namespace, metadata.name));
}
