import type { ResourceDefinition } from './resource-definition.ts';

/** Returns the full name of the list message of a resource. */
export function listMessageName({
  message,
  listKind,
}: Pick<ResourceDefinition, 'message' | 'listKind'>): string {
  return `${message.fullName.slice(0, message.fullName.lastIndexOf('.'))}.${listKind}`;
}
