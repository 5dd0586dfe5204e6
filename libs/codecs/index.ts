export {
  assertPatchedIntegers,
  type BodyDefinition,
  checkObject,
  type DecodedObject,
  decodeBody,
  decodeOptions,
  type FieldValidation,
  judgeFindings,
} from './decode-body.ts';
export { type DecodedPatch, decodePatch, type PatchForm } from './decode-patch.ts';
export { parseJson } from './json/parse-json.ts';
export { listText } from './list-text.ts';
export {
  type BodyEncoding,
  encodingFromMediaType,
  jsonMediaType,
  protobufMediaType,
  protobufMediaTypes,
  yamlMediaType,
} from './media-types.ts';
export { type PartialObjectMetadata, partialMetadataFrom } from './partial-metadata.ts';
export {
  decodeEnvelope,
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufListItem,
  type ProtobufListHead,
  type ProtobufWatchEvent,
  protobufListFrame,
  writeProtobufWatchEvent,
} from './protobuf/envelope.ts';
export { decodeMessage } from './protobuf/message-decoder.ts';
export { renderStoredList, type StoredList } from './stored-list.ts';
export {
  decodeLongStored,
  decodeStored,
  decodeStoredMetadata,
  encodeLongStored,
  encodeStored,
  hasTag,
  type MetadataBytes,
  measureRest,
  objectPrefix,
  renderedSize,
  renderStored,
  type ServedBytes,
  type StoredItem,
  storedFromJson,
  storedItem,
  storedMetadata,
  storedParts,
  writeRendered,
} from './stored-object.ts';
export {
  type IncludeObject,
  parseIncludeObject,
  type TableColumnDefinition,
  type TableOptions,
  type TableSource,
  tableFrom,
  tableHeadFrom,
  tableRowFrom,
} from './table.ts';
