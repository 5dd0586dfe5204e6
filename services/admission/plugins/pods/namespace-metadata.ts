import type { ObjectMeta } from '@binnacle/api-objects';
import { resourceNotFound } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** The type of namespaces. */
export const namespaceType = { group: '', version: 'v1', resource: 'namespaces' };

/** The metadata of the namespace of a review. */
export async function namespaceMetadata(
  { namespace, call }: Pick<Review, 'namespace' | 'call'>,
  namespaces: Pick<ObjectReader, 'find'>,
): Promise<ObjectMeta> {
  const seen = await namespaces.find('', namespace, call);
  if (seen === undefined) throw resourceNotFound();
  return seen.derived(metadataSlot, metadataOf);
}

const metadataSlot = Symbol('namespace metadata');

function metadataOf(seen: SeenObject): ObjectMeta {
  return seen.parse().metadata;
}
