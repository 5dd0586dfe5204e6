import type { ResourceDefinition } from './resource-definition.ts';

/** The full name of the message of a list of a resource. */
export function listMessageName({
  message,
  listKind,
}: Pick<ResourceDefinition, 'message' | 'listKind'>): string {
  return `${message.fullName.slice(0, message.fullName.lastIndexOf('.'))}.${listKind}`;
}
