import { canonicalGroup } from '@binnacle/api-types';

/** A type whose objects a quota counts. */
export interface CountedType {
  /** '' is the core group. */
  readonly group: string;
  readonly resource: string;
}

const ofPods =
  /^(count\/pods$|pods$|cpu$|memory$|ephemeral-storage$|limits\.|requests\.(?!storage$)|hugepages-)/;
const ofClaims = /^(persistentvolumeclaims$|requests\.storage$)|\.storageclass\.storage\./;
const ofServices = /^services($|\.)/;
const counted = /^count\/([^./]+)(?:\.(.+))?$/;

/** Lists the types that the names of a quota concern, each once; a name may concern no type. Events are not counted. */
export function countedTypes(names: Iterable<string>): readonly CountedType[] {
  const types = new Map<string, CountedType>();
  for (const name of names) {
    const type = countedType(name);
    if (type !== undefined) types.set(`${type.resource}.${type.group}`, type);
  }
  return [...types.values()];
}

/** Finds the type that a name concerns; undefined when there is none. */
export function countedType(name: string): CountedType | undefined {
  if (ofClaims.test(name)) return { group: '', resource: 'persistentvolumeclaims' };
  if (ofPods.test(name)) return { group: '', resource: 'pods' };
  if (ofServices.test(name)) return { group: '', resource: 'services' };
  const [, resource = name, group = ''] = counted.exec(name) ?? [];
  if (resource.includes('/') || resource === 'events') return undefined;
  return { group: canonicalGroup(group), resource };
}
