import { type ApiObject, apiVersionOf, copyJson, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { Versions } from '@binnacle/server-side-apply';
import type { ApiRequest } from '../../pipeline/api-request.ts';
import { isWebhookConverted } from '../../versions/converted-bytes.ts';
import { managedKindOf } from './managed-kind.ts';
import { convertedFor } from './with-conversions.ts';

/**
 * The versions in which the objects of the request's resource are served, for managers that wrote in another one than that
 * of the request; what is no longer served is not among them. Where a webhook converts, it is for work that
 * `withConversions` does.
 */
export function kindVersionsOf(request: ApiRequest, registry: TypeRegistry): Versions {
  const { definition, info } = request;
  const find = (apiVersion: string): ResourceDefinition | undefined => {
    // A client can send anything in an entry: text that names no version is none.
    const slash = apiVersion.indexOf('/');
    const group = apiVersion.slice(0, Math.max(slash, 0));
    const found = registry.kind(group, apiVersion.slice(slash + 1), definition.kind);
    return found?.storagePrefix === definition.storagePrefix ? found : undefined;
  };
  return {
    view(apiVersion) {
      const found = find(apiVersion);
      if (found === undefined) return undefined;
      const { schema, resetFields } = managedKindOf(found);
      return { schema, resetFields: resetFields(info.subresource) };
    },
    convert(object, from, to) {
      const [source, target] = [find(from), find(to)];
      if (source === undefined || target === undefined || !isJsonObject(object)) return object;
      if (!isWebhookConverted(target)) return converted(object, source, target);
      const whole = { ...object, apiVersion: apiVersionOf(source), kind: source.kind };
      return convertedFor(request, { object: whole, to: target });
    },
  };
}

/** A copy of an object, parts of which may be missing, in another version of its resource. */
function converted(object: JsonObject, from: ResourceDefinition, to: ResourceDefinition): JsonObject {
  const copy = copyJson(object) as ApiObject; // conversions look for no more than the metadata
  copy.metadata ??= {};
  if (from.storage !== undefined) from.rules.conversion?.toStorage(copy);
  if (to.storage !== undefined) to.rules.conversion?.fromStorage(copy);
  copy.apiVersion = apiVersionOf(to);
  copy.kind = to.kind;
  return copy;
}
