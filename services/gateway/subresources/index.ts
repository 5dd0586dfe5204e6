import type { ResourceDefinition } from '@binnacle/api-types';
import type { RequestInfo, RequestVerb, ResourceVerb } from '../pipeline/api-request.ts';

/** What a subresource does for each verb that it has. */
export type SubresourceVerbs = Readonly<Partial<Record<RequestVerb, ResourceVerb>>>;

/**
 * The subresources that are more than another way to the object, and the operations that are not stored, by
 * `<group>/<resource>/<subresource>`: the core group is "", and so is the subresource of an operation.
 */
export const subresourceVerbs: Readonly<Record<string, SubresourceVerbs>> = {};

/** What serves a request for a subresource or an operation; undefined where the verbs of the resource itself do. */
export function subresourceVerb(definition: ResourceDefinition, info: RequestInfo): ResourceVerb | undefined {
  if (info.subresource === '' && definition.stored) return undefined;
  const key = `${definition.group}/${definition.resource}/${info.subresource}`;
  return Object.hasOwn(subresourceVerbs, key) ? subresourceVerbs[key]?.[info.verb] : undefined;
}
