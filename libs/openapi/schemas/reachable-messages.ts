import type { FieldType, MessageType, TypeRegistry } from '@binnacle/api-types';
import { definitionName } from './definition-name.ts';

/** The messages of these names and every message that their fields refer to, in the order of their definitions' names. */
export function reachableMessages(registry: TypeRegistry, roots: Iterable<string>): MessageType[] {
  const found = new Map<string, MessageType>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const message = registry.message(name);
    if (!message) throw new Error(`a document refers to ${name}, which is no message of the API`);
    found.set(name, message);
    for (const field of message.fields.values()) {
      const target = targetOf(field.type);
      if (target !== undefined) waiting.push(target);
    }
  }
  return [...found.values()].sort((a, b) =>
    definitionName(a.fullName) < definitionName(b.fullName) ? -1 : 1,
  );
}

function targetOf(type: FieldType): string | undefined {
  switch (type.kind) {
    case 'scalar':
    case 'message':
      return type.message?.fullName;
    case 'list':
      return targetOf(type.element);
    case 'map':
      return targetOf(type.value);
  }
}
