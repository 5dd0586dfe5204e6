import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { ServedVersions } from '@binnacle/server-side-apply';
import type { ApiRequest } from '../../request/api-request.ts';
import { managedKindOf } from './managed-kind.ts';

/**
 * The versions in which the objects of the request's resource are served, for managers that wrote in another one than that
 * of the request; what is no longer served is not among them.
 */
export function kindVersionsOf({ definition, info }: ApiRequest, registry: TypeRegistry): ServedVersions {
  return {
    view(apiVersion) {
      const found = servedVersion(definition, registry, apiVersion);
      if (found === undefined) return undefined;
      const { apiVersion: version, schema, resetFields } = managedKindOf(found);
      return { schema, resetFields: resetFields(info.subresource), version };
    },
  };
}

/** The definition of a resource in another version, whose group may have an alias; undefined when it is not served in that one. */
export function servedVersion(
  definition: ResourceDefinition,
  registry: TypeRegistry,
  apiVersion: string,
): ResourceDefinition | undefined {
  // A client can send anything in an entry: text that names no version is none.
  const slash = apiVersion.indexOf('/');
  const group = registry.canonicalGroup(apiVersion.slice(0, Math.max(slash, 0)));
  const found = registry.kind(group, apiVersion.slice(slash + 1), definition.kind);
  return found?.storagePrefix === definition.storagePrefix ? found : undefined;
}
