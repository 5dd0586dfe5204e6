import { CommandError } from '../output/errors.ts';
import type { Discovery, ServedTypes } from './discovery.ts';
import { formatGroupVersion, type ResourceType } from './resource-type.ts';

/**
 * The type that a user means by a name: plural, singular, short name or kind in any case, alone or as `name.group` or
 * `name.version.group`; a group may be cut short where no group is called just that. Of several, the first in the server's order.
 */
export async function resolveType(discovery: Discovery, name: string): Promise<ResourceType> {
  const served = await discovery.served();
  const found = findType(served.types, name);
  if (found === undefined) throw missing(served, `the server doesn't have a resource type "${name}"`);
  return found;
}

/** The types that a user means by names divided by commas; a category stands for its types. */
export async function resolveTypes(discovery: Discovery, names: string): Promise<ResourceType[]> {
  const served = await discovery.served();
  const types: ResourceType[] = [];
  for (const name of names.split(',').filter(text => text !== '')) {
    const found = findType(served.types, name);
    const meant = found === undefined ? typesOfCategory(served.types, name) : [found];
    if (meant.length === 0) throw missing(served, `the server doesn't have a resource type "${name}"`);
    types.push(...meant);
  }
  return types.filter((type, index) => types.indexOf(type) === index);
}

/** The type of an object by its `apiVersion` and `kind`; undefined when the server has none. */
export async function typeOfKind(
  discovery: Discovery,
  apiVersion: string,
  kind: string,
): Promise<ResourceType | undefined> {
  const { types } = await discovery.served();
  return types.find(type => type.kind === kind && formatGroupVersion(type) === apiVersion);
}

function missing({ failure }: ServedTypes, message: string): unknown {
  // The missing type may be in a group that could not be requested.
  return failure ?? new CommandError(message);
}

/** Undefined when no type is meant. */
export function findType(types: readonly ResourceType[], text: string): ResourceType | undefined {
  const name = text.toLowerCase();
  const [first = '', second = '', ...rest] = name.split('.');
  const group = name.slice(first.length + 1);
  if (rest.length > 0) {
    const exact = named(types, first).find(
      type => type.version === second && groupMatches(type.group, rest.join('.')),
    );
    if (exact !== undefined) return exact;
  }
  const candidates = named(types, first);
  if (group === '') return candidates[0];
  return (
    candidates.find(type => type.group === group) ??
    candidates.find(type => groupMatches(type.group, group)) ??
    // `pods.v1.` and `pods.v1` name a version of the core group.
    candidates.find(type => type.group === '' && type.version === group.replace(/\.$/, ''))
  );
}

function groupMatches(group: string, given: string): boolean {
  return given === '' ? group === '' : group.startsWith(given);
}

/** A plural name goes before a singular or short name or a kind of another type. */
function named(types: readonly ResourceType[], name: string): ResourceType[] {
  const plural = types.filter(type => type.resource === name);
  if (plural.length > 0) return plural;
  return types.filter(
    ({ singular, shortNames, kind }) =>
      singular === name || shortNames.includes(name) || kind.toLowerCase() === name,
  );
}

function typesOfCategory(types: readonly ResourceType[], category: string): ResourceType[] {
  const members = types.filter(type => type.categories.includes(category.toLowerCase()));
  // Of several versions of a type, the first.
  return members.filter(
    (type, index) =>
      members.findIndex(other => other.group === type.group && other.resource === type.resource) === index,
  );
}
