import { jsonMediaType, protobufMediaType, yamlMediaType } from '@binnacle/codecs';

/** The media types of a body whose type is not specified. */
export const anyMediaType: readonly string[] = ['*/*'];
/** The media types of an object. */
export const objectMediaTypes: readonly string[] = [jsonMediaType, yamlMediaType, protobufMediaType];
/** The media types of a list and of its watch. */
export const listMediaTypes: readonly string[] = [
  ...objectMediaTypes,
  `${jsonMediaType};stream=watch`,
  `${protobufMediaType};stream=watch`,
];
/** The media types of a patch. */
export const patchMediaTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
