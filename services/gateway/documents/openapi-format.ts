import { jsonMediaType } from '@binnacle/codecs';
import { parseAccept } from '../render/parse-accept.ts';

/** The forms of the OpenAPI documents. */
export type OpenApiFormat = 'json' | 'protobuf';

/** The versions of OpenAPI that there are documents in. */
export type OpenApiVersion = 'v2' | 'v3';

const mediaTypesFor = (version: OpenApiVersion) =>
  new Map<string, OpenApiFormat>([
    [jsonMediaType, 'json'],
    [`application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`, 'protobuf'],
    [protobufMediaType(version), 'protobuf'],
    ['application/*', 'json'],
    ['*/*', 'json'],
  ]);
const mediaTypes = { v2: mediaTypesFor('v2'), v3: mediaTypesFor('v3') };

/**
 * The Content-Type of a form. Existing clients ask for protobuf by a name with an `@`, which is no valid character
 * of a media type, and fail on an answer that has it; the form with a dot is understood by all of them.
 */
export function openApiContentType(format: OpenApiFormat, version: OpenApiVersion): string {
  return format === 'json' ? jsonMediaType : protobufMediaType(version);
}

/** The first form among `offered` that the client accepts; undefined when there is none. JSON without an `Accept` header. */
export function openApiFormat(
  accept: string | undefined,
  { version, offered }: { readonly version: OpenApiVersion; readonly offered: readonly OpenApiFormat[] },
): OpenApiFormat | undefined {
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const { type } of parseAccept(accept)) {
    const format = mediaTypes[version].get(type);
    if (format !== undefined && offered.includes(format)) return format;
  }
  return undefined;
}

function protobufMediaType(version: OpenApiVersion): string {
  return `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
}
