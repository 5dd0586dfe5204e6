import type { BodyEncoding } from '@binnacle/codecs';

/** Another shape in which an object or a list is wanted. */
export type TransformKind = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** The form that a client wants its answer in. */
export interface Representation {
  readonly encoding: BodyEncoding;
  /** The media type as the client wrote it: the answer's content type. */
  readonly mediaType: string;
  readonly transform: { readonly kind: TransformKind; readonly apiVersion: string } | undefined;
  /** Indented JSON for people. */
  readonly pretty: boolean;
}

/** Whether the client wants only the metadata of objects. */
export function isMetadataOnly({ transform }: Pick<Representation, 'transform'>): boolean {
  return transform?.kind === 'PartialObjectMetadata' || transform?.kind === 'PartialObjectMetadataList';
}
