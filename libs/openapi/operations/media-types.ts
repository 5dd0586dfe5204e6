import { jsonMediaType, protobufMediaType, yamlMediaType } from '@binnacle/codecs';

/** The media types of a body, so far as the documents say. */
export const anyMediaType: readonly string[] = ['*/*'];
/** The forms of an object. */
export const objectMediaTypes: readonly string[] = [jsonMediaType, yamlMediaType, protobufMediaType];
/** The forms of a list and of the watch that takes its place. */
export const listMediaTypes: readonly string[] = [
  ...objectMediaTypes,
  `${jsonMediaType};stream=watch`,
  `${protobufMediaType};stream=watch`,
];
/** The forms of a patch. */
export const patchMediaTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
