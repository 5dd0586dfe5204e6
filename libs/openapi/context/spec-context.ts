import type { MessageType, TypeRegistry } from '@binnacle/api-types';
import { apiParts } from '../operations/api-parts.ts';
import type { ApiPart, PathOperations } from '../operations/operation.ts';
import { createExtensions, type Extensions } from '../parts/extensions.ts';
import { kindsByMessage } from '../parts/kinds.ts';
import type { SchemaContext } from '../schemas/definition-schema.ts';
import type { Dialect } from '../schemas/dialect.ts';
import { reachableMessages } from '../schemas/reachable-messages.ts';
import type { OpenApiOptions } from './openapi-options.ts';

/** The context of writing the documents; holds no text of its own and is quick to make. */
export interface SpecContext {
  readonly parts: readonly ApiPart[];
  readonly extensions: Extensions;
  /** The version of the server, as `/version` says it. */
  readonly serverVersion: string;
  schemas(dialect: Dialect): SchemaContext;
  /** The messages that need a definition for these paths. */
  definitionsFor(paths: readonly PathOperations[]): MessageType[];
}

/** Gathers what the documents are written from. */
export function createSpecContext(registry: TypeRegistry, options: Required<OpenApiOptions>): SpecContext {
  const extensions = createExtensions(options.kubernetesClientCompatibility);
  const kinds = kindsByMessage(registry);
  return {
    parts: apiParts(registry, options),
    extensions,
    serverVersion: options.serverVersion,
    schemas: dialect => ({ dialect, extensions, kinds, enumerations: options.enumerations }),
    definitionsFor: paths => reachableMessages(registry, messagesOfPaths(paths)),
  };
}

/** The full names of the messages that bodies and responses of these paths consist of. */
function messagesOfPaths(paths: readonly PathOperations[]): Set<string> {
  const names = new Set<string>();
  for (const { body, content } of paths.flatMap(path => path.operations)) {
    if (body) names.add(body.message);
    if (content !== 'text') names.add(content.message);
  }
  return names;
}
