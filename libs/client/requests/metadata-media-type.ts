import { groups } from '@binnacle/api-names';

/** The kinds of objects and lists with only their metadata. */
type MetadataKind = 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** Returns the media type of answers with only the metadata of an object, of watch events or of a list. */
export function metadataMediaType(kind: MetadataKind): string {
  return `application/json;as=${kind};g=${groups.meta};v=v1`;
}
