import type { LiveTypeRegistry } from '@binnacle/api-types';
import type { OpenApiDocument } from './context/openapi-document.ts';
import type { OpenApiOptions } from './context/openapi-options.ts';
import { createOpenApiDocuments, type OpenApiDocuments } from './openapi-documents.ts';
import { writeIndexDocument } from './v3/document.ts';

/**
 * Creates the OpenAPI documents of a registry whose types change. The v3 documents of a group are only rewritten after changes of
 * its types; the v2 document and the index are rewritten on the first request after any change.
 */
export function createLiveOpenApiDocuments(
  registry: LiveTypeRegistry,
  options: OpenApiOptions,
): OpenApiDocuments {
  const builtIn = createOpenApiDocuments(registry.builtIn, options);
  const current = () => createOpenApiDocuments(registry.current, options);
  const findDocuments = (group: string): OpenApiDocuments =>
    isBuiltIn(registry, group) ? current() : createOpenApiDocuments(registry.addedTo(group), options);
  let index: { readonly of: unknown; readonly document: Promise<OpenApiDocument> } | undefined;
  return {
    v2Json: () => current().v2Json(),
    v2Protobuf: () => current().v2Protobuf(),
    v3Index() {
      const { current: types } = registry;
      if (index?.of !== types) index = { of: types, document: writeIndex(registry, builtIn, findDocuments) };
      return index.document;
    },
    v3Part(path) {
      const [, group = ''] = path.split('/');
      return (registry.addedGroups().includes(group) ? findDocuments(group) : builtIn).v3Part(path);
    },
    v3Paths: () => [...new Set([...builtIn.v3Paths(), ...addedPaths(registry)])],
  };
}

async function writeIndex(
  registry: LiveTypeRegistry,
  builtIn: OpenApiDocuments,
  findDocuments: (group: string) => OpenApiDocuments,
): Promise<OpenApiDocument> {
  const documents = new Map<string, OpenApiDocument>();
  const add = async (from: OpenApiDocuments, path: string): Promise<void> => {
    const part = await from.v3Part(path);
    if (part !== undefined) documents.set(path, part.document);
  };
  for (const path of builtIn.v3Paths()) await add(builtIn, path);
  for (const path of addedPaths(registry)) await add(findDocuments(path.split('/')[1] ?? ''), path);
  return writeIndexDocument(documents);
}

function addedPaths(registry: LiveTypeRegistry): string[] {
  const added = new Set(registry.addedGroups());
  return registry
    .groups()
    .flatMap(({ group, versions }) =>
      added.has(group) ? [`apis/${group}`, ...versions.map(version => `apis/${group}/${version}`)] : [],
    );
}

function isBuiltIn(registry: LiveTypeRegistry, group: string): boolean {
  return registry.builtIn.groups().some(known => known.group === group);
}
