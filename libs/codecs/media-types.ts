import { mediaTypes, understood } from '@binnacle/api-names';

/** Media type of JSON bodies. */
export const jsonMediaType = 'application/json';
/** Media type of YAML bodies. */
export const yamlMediaType = 'application/yaml';
/** Media type of the protobuf envelope. */
export const protobufMediaType = mediaTypes.protobuf;
/** The media types of the protobuf envelope that clients may use, the server's own first. */
export const protobufMediaTypes = understood.mediaTypes.protobuf;

/** Encodings of a body. */
export type BodyEncoding = 'json' | 'yaml' | 'protobuf';

/** Returns the encoding of a Content-Type, ignoring parameters; JSON for an empty one, undefined for an unknown one. */
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

/** The media types of request bodies. */
export const acceptedMediaTypes: readonly string[] = [jsonMediaType, yamlMediaType, protobufMediaType];
