import { groups } from '@binnacle/api-names';

/** The kinds that objects and lists have when only their metadata is wanted. */
type MetadataKind = 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** The media type of answers that have only the metadata of an object, of the events of a watch, or of a list. */
export function metadataMediaType(kind: MetadataKind): string {
  return `application/json;as=${kind};g=${groups.meta};v=v1`;
}
