import { documentExtensions, domains, extensions as schemaExtensions, understood } from '@binnacle/api-names';
import type { GroupVersionKind, JsonObject, JsonValue } from '@binnacle/api-objects';

/** Keys of the documents beyond the words of OpenAPI. */
type ExtensionKey = keyof typeof schemaExtensions | keyof typeof documentExtensions;

/** Writes extensions under the names that clients know them by. */
export interface Extensions {
  of(key: ExtensionKey, value: JsonValue): JsonObject;
  /** The names under which an extension is published, or a field that is one itself; of anything else its name. */
  publishedNames(name: string): readonly string[];
  /** The group, version and kind that an operation is about. */
  ofOperation(kind: GroupVersionKind): JsonObject;
  /** The groups, versions and kinds that a definition stands for; none, no key. */
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
 * Creates the writer. With `kubernetesClientCompatibility` extensions that have another alias for unmodified clients are
 * there under both, and a kind is found under the alias of its group too: a client may know it by either name.
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

/** The other name under which unmodified clients know a group; undefined for groups that have one name. */
export function aliasOfGroup(group: string): string | undefined {
  if (aliasDomain === undefined || !group.endsWith(ownDomain)) return undefined;
  return `${group.slice(0, -ownDomain.length)}.${aliasDomain}`;
}
