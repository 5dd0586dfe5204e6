import type { MessageType } from './message-type.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/** All that is served, by name. */
export interface TypeRegistry {
  /** In the order of `groups()`, then by name. */
  readonly resources: readonly ResourceDefinition[];
  /** Accepts canonical group names only, see `canonicalGroup`. */
  resource(group: string, version: string, plural: string): ResourceDefinition | undefined;
  kind(group: string, version: string, kind: string): ResourceDefinition | undefined;
  /** The core group first, then in the order of `/apis`. */
  groups(): readonly GroupDefinition[];
  /** A message by its full name, for example `meta.v1.DeleteOptions`. */
  message(fullName: string): MessageType | undefined;
  /** Turns an alias of a group into its name in this API; other names come back as they are. */
  canonicalGroup(group: string): string;
}

/** A served group with its versions, the preferred one first. */
export interface GroupDefinition {
  readonly group: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}
