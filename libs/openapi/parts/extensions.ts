import { documentExtensions, domains, extensions as schemaExtensions, understood } from '@binnacle/api-names';
import type { GroupVersionKind, JsonObject, JsonValue } from '@binnacle/api-objects';

/** Keys of OpenAPI extensions. */
type ExtensionKey = keyof typeof schemaExtensions | keyof typeof documentExtensions;

/** Writes extensions under their published names. */
export interface Extensions {
  of(key: ExtensionKey, value: JsonValue): JsonObject;
  /** Returns the published names of an extension, or of a field that is an extension; for other names the name itself. */
  publishedNames(name: string): readonly string[];
  /** Returns the extension with the group, version and kind of an operation. */
  ofOperation(kind: GroupVersionKind): JsonObject;
  /** Returns the extension with the groups, versions and kinds of a definition; empty if there are none. */
  ofDefinition(kinds: readonly GroupVersionKind[]): JsonObject;
}

const ownNames: Readonly<Record<ExtensionKey, string>> = { ...schemaExtensions, ...documentExtensions };
const aliasesByName: ReadonlyMap<string, readonly string[]> = new Map(
  [...Object.values(understood.extensions), ...Object.values(understood.documentExtensions)].map(aliases => [
    aliases[0] ?? '',
    aliases,
  ]),
);

/** Whether a member of a schema is an extension. */
export function isExtension(name: string): boolean {
  return aliasesByName.has(name);
}

/**
 * Creates the writer of extensions. With `kubernetesClientCompatibility` extensions with an alias for unmodified clients are
 * published under both names, and kinds under both group names.
 */
export function createExtensions(kubernetesClientCompatibility: boolean): Extensions {
  const publishedNames = (name: string): readonly string[] =>
    (kubernetesClientCompatibility && aliasesByName.get(name)) || [name];
  const written = (key: ExtensionKey, value: JsonValue): JsonObject =>
    Object.fromEntries(publishedNames(ownNames[key]).map(name => [name, value]));
  return {
    of: written,
    publishedNames,
    ofOperation: kind => written('groupVersionKind', kindEntry(kind)),
    ofDefinition(kinds) {
      if (kinds.length === 0) return {};
      const [own = '', ...others] = publishedNames(ownNames.groupVersionKind);
      const entries = kinds.flatMap(kindsUnderAllNames).map(kindEntry);
      return {
        [own]: kinds.map(kindEntry),
        ...Object.fromEntries(others.map(name => [name, entries])),
      };
    },
  };
}

function kindEntry({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, kind, version };
}

function kindsUnderAllNames(kind: GroupVersionKind): GroupVersionKind[] {
  const alias = aliasOfGroup(kind.group);
  return alias === undefined ? [kind] : [kind, { ...kind, group: alias }];
}

const ownDomain = `.${domains.groups}`;
const [aliasDomain] = understood.domains.groups.filter(domain => domain !== domains.groups);

/** Returns the alias of a group for unmodified clients; undefined for a group with a single name. */
export function aliasOfGroup(group: string): string | undefined {
  if (aliasDomain === undefined || !group.endsWith(ownDomain)) return undefined;
  return `${group.slice(0, -ownDomain.length)}.${aliasDomain}`;
}
