import { aliasOfGroup, type TypeRegistry } from '@binnacle/api-types';

/** The alias that leads to a group; undefined where there is none, as where a definition has a group of that very name. */
export function findAlias(group: string, registry: Pick<TypeRegistry, 'canonicalGroup'>): string | undefined {
  const alias = aliasOfGroup(group);
  return alias !== undefined && registry.canonicalGroup(alias) === group ? alias : undefined;
}
