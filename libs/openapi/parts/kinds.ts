import type { GroupVersionKind } from '@binnacle/api-objects';
import {
  listMessageName,
  type MessageType,
  type ResourceDefinition,
  type SubresourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';

/** The package of the messages shared by all groups. */
export const metaPackage = 'meta.v1';

const kindsOfTheCoreGroup = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status'];
const kindsOfEveryGroup = ['DeleteOptions', 'WatchEvent'];

/** Returns the kind of a subresource. */
export function subresourceKind(
  definition: ResourceDefinition,
  subresource: SubresourceDefinition,
): GroupVersionKind {
  return {
    group: subresource.group ?? definition.group,
    version: subresource.version ?? definition.version,
    kind: subresource.kind,
  };
}

/** Returns the message of a kind, whether or not it is a resource; throws if there is none. */
export function messageOfKind(registry: TypeRegistry, kind: GroupVersionKind): MessageType {
  const served = registry.kind(kind.group, kind.version, kind.kind)?.message;
  const area = kind.group === '' ? 'core' : kind.group.split('.', 1)[0];
  const message = served ?? registry.message(`${area}.${kind.version}.${kind.kind}`);
  if (!message) throw new Error(`no message for ${kind.kind} of ${kind.group}/${kind.version}`);
  return message;
}

/** Returns the kinds of each message, by its full name. */
export function kindsByMessage(registry: TypeRegistry): ReadonlyMap<string, readonly GroupVersionKind[]> {
  const kinds = new Map<string, GroupVersionKind[]>();
  const add = (message: string, kind: GroupVersionKind): void => {
    const known = kinds.get(message) ?? [];
    const isKnown = known.some(
      entry => entry.group === kind.group && entry.version === kind.version && entry.kind === kind.kind,
    );
    if (!isKnown) kinds.set(message, [...known, kind]);
  };
  for (const definition of registry.resources) {
    const { group, version, kind, listKind, message } = definition;
    add(message.fullName, { group, version, kind });
    add(listMessageName(definition), { group, version, kind: listKind });
    for (const subresource of definition.subresources.values()) {
      const about = subresourceKind(definition, subresource);
      add(messageOfKind(registry, about).fullName, about);
    }
  }
  for (const kind of kindsOfTheCoreGroup) add(`${metaPackage}.${kind}`, { group: '', version: 'v1', kind });
  for (const { group, versions } of registry.groups()) {
    for (const version of versions) {
      for (const kind of kindsOfEveryGroup) add(`${metaPackage}.${kind}`, { group, version, kind });
    }
  }
  return kinds;
}
