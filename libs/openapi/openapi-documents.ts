import type { TypeRegistry } from '@binnacle/api-types';
import { type OpenApiDocument, openApiDocumentFrom } from './context/openapi-document.ts';
import type { OpenApiOptions } from './context/openapi-options.ts';
import { createSpecContext } from './context/spec-context.ts';
import { writeDocumentJson, writeDocumentProtobuf } from './v2/document.ts';
import { partDocumentUrl, writeIndexDocument, writePartDocument, writePartProtobuf } from './v3/document.ts';

/** A document of one part of the API, with its address. */
interface PartDocument {
  readonly document: OpenApiDocument;
  /** The same as a protobuf message; the message is under the same address. */
  protobuf(): Promise<OpenApiDocument>;
  /** With the hash of the document. */
  readonly url: string;
}

/**
 * The OpenAPI documents of a registry. Each is written when it is first asked for and then kept; the same types and
 * options give the same bytes everywhere.
 */
export interface OpenApiDocuments {
  /** The OpenAPI v2 document as JSON. */
  v2Json(): Promise<OpenApiDocument>;
  /** The OpenAPI v2 document as the protobuf message that clients before release 1.28 ask for. */
  v2Protobuf(): Promise<OpenApiDocument>;
  /** The document that says where the OpenAPI v3 documents are. */
  v3Index(): Promise<OpenApiDocument>;
  /** The OpenAPI v3 document of `api/v1`, `apis/apps/v1` and so on; undefined for other paths. */
  v3Part(path: string): Promise<PartDocument | undefined>;
  /** The paths for which there is an OpenAPI v3 document. */
  v3Paths(): readonly string[];
}

const known = new WeakMap<TypeRegistry, Map<string, OpenApiDocuments>>();

/** The documents of a registry; equal options give the same ones. */
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
