import type { BodyEncoding } from '@binnacle/codecs';
import type { RequestVerb } from '../request/api-request.ts';
import type { TransformKind } from './representation.ts';

/** The forms that an answer can have. */
export interface NegotiationOffer {
  readonly encodings: readonly BodyEncoding[];
  readonly transforms: readonly TransformKind[];
  /** Encodings of objects that are reduced to their metadata; they may be more than those of the whole objects. */
  readonly metadataEncodings: readonly BodyEncoding[];
}

/** All encodings. */
export const everyEncoding: readonly BodyEncoding[] = ['json', 'yaml', 'protobuf'];
const watchEncodings: readonly BodyEncoding[] = ['json', 'protobuf'];

/** All forms of an answer with an object or a list. */
const objectOffer: NegotiationOffer = {
  encodings: everyEncoding,
  transforms: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
  metadataEncodings: everyEncoding,
};
/** The forms of an answer that is one object. */
const oneObjectOffer: NegotiationOffer = { ...objectOffer, transforms: ['Table', 'PartialObjectMetadata'] };
/** The forms of an answer that is a list. */
const listOffer: NegotiationOffer = { ...objectOffer, transforms: ['Table', 'PartialObjectMetadataList'] };
/** Encodings of whole objects that a schema describes, which have no protobuf form. */
const schemaEncodings: readonly BodyEncoding[] = ['json', 'yaml'];
const schemaObjectOffer: NegotiationOffer = { ...objectOffer, encodings: schemaEncodings };
const oneSchemaObjectOffer: NegotiationOffer = { ...oneObjectOffer, encodings: schemaEncodings };
const schemaListOffer: NegotiationOffer = { ...listOffer, encodings: schemaEncodings };
/** The forms of a watch. */
const watchOffer: NegotiationOffer = {
  encodings: watchEncodings,
  transforms: ['Table', 'PartialObjectMetadata'],
  metadataEncodings: watchEncodings,
};
/** The forms of a watch of objects that a schema describes. */
const schemaWatchOffer: NegotiationOffer = { ...watchOffer, encodings: ['json'] };
/** The forms of a discovery document. */
export const documentOffer: NegotiationOffer = {
  encodings: everyEncoding,
  transforms: [],
  metadataEncodings: [],
};
/** The forms of a document without a kind. */
export const plainDocumentOffer: NegotiationOffer = { ...documentOffer, encodings: ['json', 'yaml'] };

/** The forms of the answer to a verb; `hasWireForm`: whether its objects have a protobuf form. */
export function findOffer(verb: RequestVerb, hasWireForm: boolean): NegotiationOffer {
  switch (verb) {
    case 'list':
      return hasWireForm ? listOffer : schemaListOffer;
    case 'watch':
      return hasWireForm ? watchOffer : schemaWatchOffer;
    case 'delete':
    case 'deletecollection':
      // An object, a list or a Status.
      return hasWireForm ? objectOffer : schemaObjectOffer;
    default:
      return hasWireForm ? oneObjectOffer : oneSchemaObjectOffer;
  }
}
