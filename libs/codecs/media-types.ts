/** Media type of JSON bodies. */
export const jsonMediaType = 'application/json';
/** Media type of YAML bodies. */
export const yamlMediaType = 'application/yaml';
/** Media type of the protobuf envelope. */
export const protobufMediaType = 'application/vnd.cluster.protobuf';
/** The protobuf media type that existing clients use. */
export const protobufMediaTypeAlias = 'application/vnd.kubernetes.protobuf';

/** The encodings a body can have. */
export type BodyEncoding = 'json' | 'yaml' | 'protobuf';

/** The encoding that a Content-Type stands for, parameters aside; an empty one is JSON, undefined is unknown. */
export function encodingOf(mediaType: string): BodyEncoding | undefined {
  const semicolon = mediaType.indexOf(';');
  const bare = (semicolon < 0 ? mediaType : mediaType.slice(0, semicolon)).trim().toLowerCase();
  switch (bare) {
    case '':
    case jsonMediaType:
      return 'json';
    case yamlMediaType:
      return 'yaml';
    case protobufMediaType:
    case protobufMediaTypeAlias:
      return 'protobuf';
    default:
      return undefined;
  }
}

/** The media types that a request body may have. */
export const acceptedMediaTypes: readonly string[] = [jsonMediaType, yamlMediaType, protobufMediaType];
