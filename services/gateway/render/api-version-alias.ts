import { formatApiVersion } from '@binnacle/api-objects';
import type { AliasNames, ResourceDefinition } from '@binnacle/api-types';
import { objectPrefix } from '@binnacle/codecs';
import type { RequestInfo } from '../request/api-request.ts';
import { aliasNamesFor } from '../versions/alias-form.ts';

/** The apiVersion of the objects of an answer and the names in them: with the group name or alias of the request's path. */
export interface ApiVersionAlias {
  readonly apiVersion: string;
  /** Stands before the metadata of a stored object in place of what is stored; undefined when that is the same. */
  readonly prefix: Buffer | undefined;
  /** The names that objects are shown with; undefined: their own. */
  readonly names: AliasNames | undefined;
}

const cache = new WeakMap<ResourceDefinition, Map<string, ApiVersionAlias>>();

/** The apiVersion alias for a request, built once for each name of a group. */
export function apiVersionAliasFor(definition: ResourceDefinition, info: RequestInfo): ApiVersionAlias {
  const aliases = cache.get(definition) ?? new Map<string, ApiVersionAlias>();
  cache.set(definition, aliases);
  let alias = aliases.get(info.group);
  if (alias === undefined) {
    const apiVersion = formatApiVersion({ group: info.group, version: definition.version });
    const isAsStored = info.group === definition.group && definition.rules.authored === undefined;
    const prefix = isAsStored ? undefined : objectPrefix(definition.kind, apiVersion);
    alias = { apiVersion, prefix, names: aliasNamesFor(definition, info) };
    aliases.set(info.group, alias);
  }
  return alias;
}
