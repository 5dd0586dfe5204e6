import { groups } from '@binnacle/api-names';
import type { ApiObject, JsonValue, ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** apiVersion of Table and PartialObjectMetadata. */
export const metaApiVersion = `${groups.meta}/v1`;

/** An object reduced to its metadata. */
export type PartialObjectMetadata = {
  kind: 'PartialObjectMetadata';
  apiVersion: string;
  metadata: ObjectMeta;
};

/** A list of objects reduced to their metadata. */
type PartialObjectMetadataList = {
  kind: 'PartialObjectMetadataList';
  apiVersion: string;
  metadata: ListMeta;
  items: PartialObjectMetadata[];
};

/** Reduces an object to its metadata; the result shares the metadata object. */
export function partialMetadataFrom(
  { metadata }: Pick<ApiObject, 'metadata'>,
  apiVersion: string = metaApiVersion,
): PartialObjectMetadata {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

/** Reduces the objects of a list to their metadata. */
export function partialMetadataListFrom(
  objects: readonly ApiObject[],
  listMeta: ListMeta,
  apiVersion: string = metaApiVersion,
): PartialObjectMetadataList & { [key: string]: JsonValue } {
  const items = objects.map(object => partialMetadataFrom(object, apiVersion));
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata: listMeta, items };
}
