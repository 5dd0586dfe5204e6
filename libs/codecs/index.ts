export { humanDuration } from '@binnacle/api-objects';
export {
  type BodyDefinition,
  checkObject,
  type DecodedObject,
  type DecodeTarget,
  decodeBody,
  decodeBodyAtOnce,
  decodeOptions,
  type FieldValidation,
  judgeFindings,
} from './decode-body.ts';
export { type DecodedPatch, decodePatch, type PatchForm } from './decode-patch.ts';
export { encodeYaml } from './encode-yaml.ts';
export { type ParsedText, parseJson } from './json/parse-json.ts';
export { assertObjectSize, bodyValueLimit, objectValueLimit } from './json/value-limits.ts';
export { type ListText, listText, type TextForm } from './list-text.ts';
export {
  acceptedMediaTypes,
  type BodyEncoding,
  encodingOf,
  jsonMediaType,
  protobufMediaType,
  protobufMediaTypeAlias,
  yamlMediaType,
} from './media-types.ts';
export {
  metaApiVersion,
  type PartialObjectMetadata,
  type PartialObjectMetadataList,
  partialMetadataFrom,
  partialMetadataListFrom,
} from './partial-metadata.ts';
export {
  decodeEnvelope,
  decodeProtobuf,
  type Envelope,
  encodeProtobuf,
  encodeProtobufList,
  encodeProtobufListItem,
  type ProtobufListHead,
  type ProtobufWatchEvent,
  protobufListFrame,
  writeProtobufWatchEvent,
} from './protobuf/envelope.ts';
export { decodeMessage } from './protobuf/message-decoder.ts';
export { encodeMessage } from './protobuf/message-encoder.ts';
export { type ListHead, renderStoredList, type StoredList } from './stored-list.ts';
export {
  decodeStored,
  decodeStoredMetadata,
  encodeStored,
  hasTag,
  itemPrefix,
  objectPrefix,
  renderedSize,
  renderStored,
  restLengthOf,
  type StoredItem,
  type StoredParts,
  storedItem,
  storedMetadata,
  storedParts,
  writeRendered,
} from './stored-object.ts';
export {
  type IncludeObject,
  parseIncludeObject,
  type Table,
  type TableColumnDefinition,
  type TableOptions,
  type TableRow,
  type TableSource,
  tableFrom,
  tableHeadFrom,
  tableRowFrom,
} from './table.ts';
export { parseYaml, parseYamlAtOnce, parseYamlSteps } from './yaml.ts';
