import type { TypeRegistry } from '@binnacle/api-types';
import { type OpenApiDocument, openApiDocumentFrom } from './context/openapi-document.ts';
import type { OpenApiOptions } from './context/openapi-options.ts';
import { createSpecContext } from './context/spec-context.ts';
import { writeDocumentJson, writeDocumentProtobuf } from './v2/document.ts';
import { partDocumentUrl, writeIndexDocument, writePartDocument, writePartProtobuf } from './v3/document.ts';

/** A document of one part of the API, with its URL. */
interface PartDocument {
  readonly document: OpenApiDocument;
  /** Returns the document as a protobuf message, which has the same URL. */
  protobuf(): Promise<OpenApiDocument>;
  /** The URL, including the hash of the document. */
  readonly url: string;
}

/**
 * The OpenAPI documents of a registry. Each is written on the first request and cached; equal types and options give equal bytes
 * on every replica.
 */
export interface OpenApiDocuments {
  /** The OpenAPI v2 document as JSON. */
  v2Json(): Promise<OpenApiDocument>;
  /** The OpenAPI v2 document as the protobuf message that clients before release 1.28 request. */
  v2Protobuf(): Promise<OpenApiDocument>;
  /** The document that lists the OpenAPI v3 documents. */
  v3Index(): Promise<OpenApiDocument>;
  /** The OpenAPI v3 document of `api/v1`, `apis/apps/v1` and so on; undefined for unknown paths. */
  v3Part(path: string): Promise<PartDocument | undefined>;
  /** The paths that have an OpenAPI v3 document. */
  v3Paths(): readonly string[];
}

const known = new WeakMap<TypeRegistry, Map<string, OpenApiDocuments>>();

/** Returns the documents of a registry; equal options return the same object. */
export function createOpenApiDocuments(registry: TypeRegistry, options: OpenApiOptions): OpenApiDocuments {
  const { kubernetesClientCompatibility = true, aliasGroups = false, issuerDiscovery = false } = options;
  const { enumerations = true } = options;
  const { serverVersion } = options;
  const settled = {
    kubernetesClientCompatibility,
    aliasGroups,
    issuerDiscovery,
    enumerations,
    serverVersion,
  };
  const ofRegistry = known.get(registry) ?? new Map<string, OpenApiDocuments>();
  known.set(registry, ofRegistry);
  const key = JSON.stringify(settled);
  const documents = ofRegistry.get(key) ?? createDocuments(registry, settled);
  ofRegistry.set(key, documents);
  return documents;
}

function createDocuments(registry: TypeRegistry, options: Required<OpenApiOptions>): OpenApiDocuments {
  const context = once(() => createSpecContext(registry, options));
  const parts = once(() => {
    const written = context().parts.map(part => ({
      path: part.path,
      document: once(() => writePartDocument(part, context())),
      protobuf: once(() => writePartProtobuf(part, context())),
    }));
    return new Map(written.map(({ path, ...forms }) => [path, forms]));
  });
  return {
    v2Json: once(async () => openApiDocumentFrom(await writeDocumentJson(context()))),
    v2Protobuf: once(async () => openApiDocumentFrom(await writeDocumentProtobuf(context()))),
    v3Index: once(async () => {
      const documents = new Map<string, OpenApiDocument>();
      for (const [path, { document }] of parts()) documents.set(path, await document());
      return writeIndexDocument(documents);
    }),
    async v3Part(path) {
      const part = parts().get(path);
      if (part === undefined) return undefined;
      const document = await part.document();
      return { document, protobuf: part.protobuf, url: partDocumentUrl(path, document) };
    },
    v3Paths: () => [...parts().keys()],
  };
}

function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}
