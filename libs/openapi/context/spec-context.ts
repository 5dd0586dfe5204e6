import type { FieldType, MessageType, TypeRegistry } from '@binnacle/api-types';
import { apiParts } from '../operations/api-parts.ts';
import type { ApiPart, PathOperations } from '../operations/operation.ts';
import { createExtensions, type Extensions } from '../parts/extensions.ts';
import { kindsByMessage } from '../parts/kinds.ts';
import { definitionName } from '../schemas/definition-name.ts';
import type { SchemaContext } from '../schemas/definition-schema.ts';
import type { Dialect } from '../schemas/dialect.ts';
import type { OpenApiOptions } from './openapi-options.ts';

/** The context in which documents are written; it contains no rendered text and is cheap to create. */
export interface SpecContext {
  readonly parts: readonly ApiPart[];
  readonly extensions: Extensions;
  /** The server version, as in `/version`. */
  readonly serverVersion: string;
  schemas(dialect: Dialect): SchemaContext;
  /** Returns the messages whose definitions these paths need. */
  definitionsFor(paths: readonly PathOperations[]): MessageType[];
}

/** Creates the context of a registry's documents. */
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

/** Returns the full names of the messages in bodies and responses of these paths. */
function messagesOfPaths(paths: readonly PathOperations[]): Set<string> {
  const names = new Set<string>();
  for (const { body, content } of paths.flatMap(path => path.operations)) {
    if (body) names.add(body.message);
    if (content !== 'text') names.add(content.message);
  }
  return names;
}

/** Returns the named messages and every message that their fields refer to, sorted by definition name. */
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
