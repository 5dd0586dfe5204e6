import type { ObjectMeta } from '@binnacle/api-objects';
import { notFound } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** The type of namespaces. */
export const namespaceType = { group: '', version: 'v1', resource: 'namespaces' };

/**
 * Returns the metadata of the namespace of a review. It is at least as new as the namespace in the preconditions of the review, so
 * it still holds when the write is committed.
 */
export async function namespaceMetadata(
  { namespace, preconditions, call }: Pick<Review, 'namespace' | 'preconditions' | 'call'>,
  namespaces: Pick<ObjectReader, 'find' | 'findCurrent'>,
): Promise<ObjectMeta> {
  let seen = await namespaces.find('', namespace, call);
  if (seen !== undefined && preconditions.some(each => isNewer(each, seen)))
    seen = await namespaces.findCurrent('', namespace, call);
  return metadataIn(seen, namespace);
}

/** Returns the metadata of the namespace of a review from the store: a refusal must not depend on an outdated cache. */
export async function currentNamespaceMetadata(
  { namespace, call }: Pick<Review, 'namespace' | 'call'>,
  namespaces: Pick<ObjectReader, 'findCurrent'>,
): Promise<ObjectMeta> {
  return metadataIn(await namespaces.findCurrent('', namespace, call), namespace);
}

function metadataIn(seen: SeenObject | undefined, namespace: string): ObjectMeta {
  if (seen === undefined) throw notFound(namespaceType, namespace);
  return seen.derived(metadataSlot, readMetadata);
}

function isNewer(precondition: Review['preconditions'][number], seen: SeenObject | undefined): boolean {
  return seen !== undefined && precondition.key === seen.key && precondition.revision > seen.revision;
}

const metadataSlot = Symbol('namespace metadata');

function readMetadata(seen: SeenObject): ObjectMeta {
  return seen.parse().metadata;
}
