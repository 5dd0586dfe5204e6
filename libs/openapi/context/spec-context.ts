import type { FieldType, MessageType, TypeRegistry } from '@binnacle/api-types';
import { apiParts } from '../operations/api-parts.ts';
import type { ApiPart, PathOperations } from '../operations/operation.ts';
import { createExtensions, type Extensions } from '../parts/extensions.ts';
import { kindsByMessage } from '../parts/kinds.ts';
import { definitionName } from '../schemas/definition-name.ts';
import type { SchemaContext } from '../schemas/definition-schema.ts';
import type { Dialect } from '../schemas/dialect.ts';
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

/** The messages of these names and every message that their fields refer to, in the order of their definitions' names. */
function reachableMessages(registry: TypeRegistry, roots: Iterable<string>): MessageType[] {
  const found = new Map<string, MessageType>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const message = registry.message(name);
    if (!message) throw new Error(`a document refers to ${name}, which is no message of the API`);
    found.set(name, message);
    for (const field of message.fields.values()) {
      const target = findTarget(field.type);
      if (target !== undefined) waiting.push(target);
    }
  }
  return [...found.values()].sort((a, b) =>
    definitionName(a.fullName) < definitionName(b.fullName) ? -1 : 1,
  );
}

function findTarget(type: FieldType): string | undefined {
  switch (type.kind) {
    case 'scalar':
    case 'message':
      return type.message?.fullName;
    case 'list':
      return findTarget(type.element);
    case 'map':
      return findTarget(type.value);
  }
}
