import { groups, understood } from '@binnacle/api-names';
import {
  type ApiObject,
  formatApiVersion,
  isJsonObject,
  type JsonValue,
  parseApiVersion,
} from '@binnacle/api-objects';
import { type AliasNames, canonicalGroup, isBuiltInGroup } from '@binnacle/api-types';
import type { Review } from './review.ts';

/**
 * The names by which a review is shown to the reviewers.
 *
 * Webhooks and policies of others know the API by the aliases of its groups, and so by other names of what belongs to them: options,
 * attributes of users, extensions of schemas. Each is asked by the names that the author of its configuration knows, which the group of
 * the configuration tells. Only the API's own groups have other names here: the group of a definition is what its author called it.
 */
export interface ShownNames {
  /** The name of a group, in kinds, resources and apiVersions. */
  groupName(group: string): string;
  /** Whether options, attributes of users and what objects hold have the names of the aliases. */
  readonly areAliases: boolean;
}

/** The names of this process. */
export const ownNames: ShownNames = { groupName: group => group, areAliases: false };

/** Groups of the API that have no types of their own in it. */
const groupsWithoutTypes: readonly string[] = [
  groups.admission,
  groups.apiserver,
  groups.apiserverConfig,
  groups.imagepolicy,
  groups.meta,
];
const groupAliases = aliasesIn(
  understood.groups,
  own => isBuiltInGroup(own) || groupsWithoutTypes.includes(own),
);

/** The names that existing clients know. */
export const aliasNames: ShownNames = {
  groupName: group => groupAliases.get(group) ?? group,
  areAliases: true,
};

/** The names that the author of a configuration knows, by the apiVersion that it was written with. */
export function authorNames(apiVersion: string): ShownNames {
  const { group } = parseApiVersion(apiVersion);
  return groupAliases.get(canonicalGroup(group)) === group ? aliasNames : ownNames;
}

/**
 * The names by which a policy sees a review: groups as the path of the request has them, where its group has an alias; elsewhere, and all
 * other names, as the author of the policy knows them.
 */
export function policyNames(
  author: ShownNames,
  { definition: { group }, requestGroup }: Pick<Review, 'definition' | 'requestGroup'>,
): ShownNames {
  const { areAliases } = author;
  if (requestGroup !== group)
    return { groupName: one => (one === group ? requestGroup : aliasNames.groupName(one)), areAliases };
  if (!areAliases || !groupAliases.has(group)) return author;
  return { groupName: ownNames.groupName, areAliases };
}

/** An object of a kind that may have names of its own for the alias of its group; the object itself where nothing has another name. */
export function shownObject(
  object: ApiObject,
  kindNames: AliasNames | undefined,
  { groupName, areAliases }: ShownNames,
): ApiObject {
  const { group, version } = parseApiVersion(object.apiVersion);
  const shownGroup = groupName(group);
  const shown = areAliases && kindNames !== undefined ? (kindNames.toAlias(object) as ApiObject) : object; // it has all that it had
  return shownGroup === group
    ? shown
    : { ...shown, apiVersion: formatApiVersion({ group: shownGroup, version }) };
}

/** JSON of options, as they are shown. */
export function shownOptions(options: JsonValue, { areAliases }: ShownNames): JsonValue {
  if (!areAliases || !isJsonObject(options) || options['apiVersion'] !== ownOptions) return options;
  return { ...options, apiVersion: aliasOptions };
}

const ownOptions = formatApiVersion({ group: groups.meta, version: 'v1' });
const aliasOptions = formatApiVersion({ group: aliasNames.groupName(groups.meta), version: 'v1' });
const extraAliases = aliasesIn(understood.userExtras, () => true);

/** The name of an attribute of a user, as it is shown. */
export function shownExtra(key: string, { areAliases }: ShownNames): string {
  return areAliases ? (extraAliases.get(key) ?? key) : key;
}

/** The alias of each name of a table that is wanted and has one. */
function aliasesIn(
  table: Readonly<Record<string, readonly string[]>>,
  isWanted: (own: string) => boolean,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [own, alias] of Object.values(table))
    if (own !== undefined && alias !== undefined && isWanted(own)) names.set(own, alias);
  return names;
}
