import type { Discovery } from '../discovery/discovery.ts';
import { resolveType, resolveTypes } from '../discovery/resolve-type.ts';
import type { ResourceType } from '../discovery/resource-type.ts';
import { UsageError } from '../output/errors.ts';

/** A type, and the names of the objects of it that are meant; all of them when there are none. */
export interface Target {
  readonly type: ResourceType;
  readonly names: readonly string[];
}

const mixed =
  "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'get resource/<resource_name>' instead of 'get resource resource/<resource_name>')";

/** The targets of words such as `pods`, `pods,services`, `pod a b` or `pod/a service/b`. Throws for words without a meaning. */
export async function targetsFrom(words: readonly string[], discovery: Discovery): Promise<Target[]> {
  const [first] = words;
  if (first === undefined) throw new UsageError('you must specify the type of resource to use');
  const withSlash = words.filter(word => word.includes('/'));
  if (withSlash.length > 0) {
    if (withSlash.length < words.length) throw new UsageError(mixed);
    return namedTargets(words, discovery);
  }
  const types = await resolveTypes(discovery, first);
  const names = words.slice(1);
  return types.map(type => ({ type, names }));
}

async function namedTargets(words: readonly string[], discovery: Discovery): Promise<Target[]> {
  const targets = new Map<ResourceType, string[]>();
  for (const word of words) {
    const [typeName = '', name = '', ...rest] = word.split('/');
    if (typeName === '' || name === '' || rest.length > 0)
      throw new UsageError(
        `arguments in resource/name form must have a single resource and name, not "${word}"`,
      );
    const type = await resolveType(discovery, typeName);
    targets.set(type, [...(targets.get(type) ?? []), name]);
  }
  return [...targets].map(([type, names]) => ({ type, names }));
}

/** The namespace in which objects of a type are looked for; undefined for all, and for types that have none. */
export function namespaceFor(
  type: ResourceType,
  { namespace, allNamespaces }: { readonly namespace: string; readonly allNamespaces: boolean },
): string | undefined {
  return type.namespaced && !allNamespaces ? namespace : undefined;
}
