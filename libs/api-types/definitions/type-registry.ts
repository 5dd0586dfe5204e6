import type { MessageType } from './message-type.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/** The served types. */
export interface TypeRegistry {
  /** In the order of `groups()`, then by name. */
  readonly resources: readonly ResourceDefinition[];
  /** Finds a resource by canonical group name, see `canonicalGroup`. */
  resource(group: string, version: string, plural: string): ResourceDefinition | undefined;
  kind(group: string, version: string, kind: string): ResourceDefinition | undefined;
  /** Returns the core group, then the others in the order of `/apis`. */
  groups(): readonly GroupDefinition[];
  /** Finds a message by full name, for example `meta.v1.DeleteOptions`. */
  message(fullName: string): MessageType | undefined;
  /** Converts a group alias to the canonical name; returns other names unchanged. */
  canonicalGroup(group: string): string;
}

/** A served group with its versions, the preferred one first. */
export interface GroupDefinition {
  readonly group: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}
