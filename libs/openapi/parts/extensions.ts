import type { GroupVersionKind, JsonObject, JsonValue } from '@binnacle/api-objects';

/** What the documents say beyond the words of OpenAPI. */
type ExtensionName =
  | 'action'
  | 'int-or-string'
  | 'list-map-keys'
  | 'list-type'
  | 'map-type'
  | 'patch-merge-key'
  | 'patch-strategy';

/** Writes extension keys: `x-cluster-…`, and `x-kubernetes-…` beside it for unmodified clients. */
export interface Extensions {
  of(name: ExtensionName, value: JsonValue): JsonObject;
  /** What the schema of a definition says, by any name. */
  ofSchema(name: string, value: JsonValue): JsonObject;
  /** The names under which a field that is an extension key itself is accepted; of any other field its name. */
  namesOfField(name: string): string[];
  /** The group, version and kind that an operation is about. */
  ofOperation(kind: GroupVersionKind): JsonObject;
  /** The groups, versions and kinds that a definition stands for; none, no key. */
  ofDefinition(kinds: readonly GroupVersionKind[]): JsonObject;
}

const own = 'x-cluster-';
const original = 'x-kubernetes-';
const kindKey = 'group-version-kind';
/** Extensions whose original name differs by more than the prefix. */
const originalNames: ReadonlyMap<string, string> = new Map([['embedded-type', 'embedded-resource']]);

/**
 * Creates the writer. With `kubernetesClientCompatibility` each key also has its Kubernetes name, where a group is
 * found under its alias too: a client may know an object by either name.
 */
export function createExtensions(kubernetesClientCompatibility: boolean): Extensions {
  const both = (name: string, value: JsonValue, originalValue: JsonValue = value): JsonObject => ({
    [own + name]: value,
    ...(kubernetesClientCompatibility
      ? { [original + (originalNames.get(name) ?? name)]: originalValue }
      : {}),
  });
  return {
    of: both,
    ofSchema: both,
    namesOfField: name => (name.startsWith(own) ? Object.keys(both(name.slice(own.length), null)) : [name]),
    ofOperation: kind => both(kindKey, kindEntry(kind)),
    ofDefinition(kinds) {
      if (kinds.length === 0) return {};
      return both(kindKey, kinds.map(kindEntry), kinds.flatMap(namesOf).map(kindEntry));
    },
  };
}

function kindEntry({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, kind, version };
}

function namesOf(kind: GroupVersionKind): GroupVersionKind[] {
  const alias = aliasOfGroup(kind.group);
  return alias === undefined ? [kind] : [kind, { ...kind, group: alias }];
}

/** The other name under which unmodified clients know a group; undefined for groups that have one name. */
export function aliasOfGroup(group: string): string | undefined {
  const suffix = '.cluster.io';
  return group.endsWith(suffix) ? `${group.slice(0, -suffix.length)}.k8s.io` : undefined;
}
