import { mediaTypes, understood } from '@binnacle/api-names';

/** Media type of JSON bodies. */
export const jsonMediaType = 'application/json';
/** Media type of YAML bodies. */
export const yamlMediaType = 'application/yaml';
/** Media type of the protobuf envelope. */
export const protobufMediaType = mediaTypes.protobuf;
/** The media types under which clients may know the protobuf envelope, the own one first. */
export const protobufMediaTypes = understood.mediaTypes.protobuf;

/** The encodings a body can have. */
export type BodyEncoding = 'json' | 'yaml' | 'protobuf';

/** The encoding that a Content-Type stands for, parameters aside; an empty one is JSON, undefined is unknown. */
export function encodingFromMediaType(mediaType: string): BodyEncoding | undefined {
  const semicolon = mediaType.indexOf(';');
  const bare = (semicolon < 0 ? mediaType : mediaType.slice(0, semicolon)).trim().toLowerCase();
  switch (bare) {
    case '':
    case jsonMediaType:
      return 'json';
    case yamlMediaType:
      return 'yaml';
    default:
      return protobufMediaTypes.includes(bare) ? 'protobuf' : undefined;
  }
}

/** The media types that a request body may have. */
export const acceptedMediaTypes: readonly string[] = [jsonMediaType, yamlMediaType, protobufMediaType];
