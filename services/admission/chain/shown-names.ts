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
 * The names in which reviewers see a review.
 *
 * A webhook or policy may know the API by the aliases of its groups, and with them by other names of options, attributes of users and
 * extensions of schemas. Each sees a review in the names that the author of its configuration used, which follow from the group of the
 * configuration. Only the API's own groups have aliases here; the group of a definition has the one name that its author chose.
 */
export interface ShownNames {
  /** Returns the name of a group in kinds, resources and apiVersions. */
  groupName(group: string): string;
  /** Whether options, attributes of users and the contents of objects use the names of the aliases. */
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

/** The names of the group aliases, which existing clients use. */
export const aliasNames: ShownNames = {
  groupName: group => groupAliases.get(group) ?? group,
  areAliases: true,
};

/** The names that the author of a configuration uses, by the apiVersion of the configuration. */
export function authorNames(apiVersion: string): ShownNames {
  const { group } = parseApiVersion(apiVersion);
  return groupAliases.get(canonicalGroup(group)) === group ? aliasNames : ownNames;
}

/**
 * Creates the names in which a policy sees a review: the group as in the path of the request, where the group has an alias; all other
 * names as the author of the policy used them.
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

/** Renders an object in the given names; returns the object itself where no name differs. */
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

/** Renders the JSON of options in the given names. */
export function shownOptions(options: JsonValue, { areAliases }: ShownNames): JsonValue {
  if (!areAliases || !isJsonObject(options) || options['apiVersion'] !== ownOptions) return options;
  return { ...options, apiVersion: aliasOptions };
}

const ownOptions = formatApiVersion({ group: groups.meta, version: 'v1' });
const aliasOptions = formatApiVersion({ group: aliasNames.groupName(groups.meta), version: 'v1' });
const extraAliases = aliasesIn(understood.userExtras, () => true);

/** Renders the name of a user's attribute in the given names. */
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
