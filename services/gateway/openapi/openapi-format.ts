import { jsonMediaType } from '@binnacle/codecs';
import { parseAccept } from '../negotiate/parse-accept.ts';

/** The forms of the OpenAPI v2 document. */
export type OpenApiFormat = 'json' | 'protobuf';

const mediaTypes = new Map<string, OpenApiFormat>([
  [jsonMediaType, 'json'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', 'protobuf'],
  ['application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 'protobuf'],
  ['application/*', 'json'],
  ['*/*', 'json'],
]);

/**
 * The Content-Type of each form. Existing clients ask for protobuf by a name with an `@`, which is no valid character
 * of a media type, and fail on an answer that has it; the form with a dot is understood by all of them.
 */
export const contentTypes: Readonly<Record<OpenApiFormat, string>> = {
  json: jsonMediaType,
  protobuf: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
};

/** The first form among `offered` that the client accepts; undefined when there is none. JSON when nothing is said. */
export function openApiFormat(
  accept: string | undefined,
  offered: readonly OpenApiFormat[],
): OpenApiFormat | undefined {
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const { type } of parseAccept(accept)) {
    const format = mediaTypes.get(type);
    if (format !== undefined && offered.includes(format)) return format;
  }
  return undefined;
}
