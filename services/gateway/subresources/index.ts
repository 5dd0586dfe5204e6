import type { ResourceDefinition } from '@binnacle/api-types';
import type { RequestInfo, RequestVerb, ResourceVerb } from '../pipeline/api-request.ts';
import { virtualVerbs } from '../virtual/index.ts';
import { approvalVerbs, signingStatusVerbs } from './certificate-signing-requests.ts';
import { requestToken } from './service-account-token.ts';

/** What a subresource does for each verb that it has. */
export type SubresourceVerbs = Readonly<Partial<Record<RequestVerb, ResourceVerb>>>;

/**
 * The subresources that are more than another way to the object, and the operations that are not stored, by
 * `<group>/<resource>/<subresource>`: the core group is "", and so is the subresource of an operation.
 */
export const subresourceVerbs: Readonly<Record<string, SubresourceVerbs>> = {
  '/serviceaccounts/token': { create: requestToken },
  'certificates.cluster.io/certificatesigningrequests/approval': approvalVerbs,
  'certificates.cluster.io/certificatesigningrequests/status': signingStatusVerbs,
};

/** What serves a request for a subresource or an operation; undefined where the verbs of the resource itself do. */
export function subresourceVerb(definition: ResourceDefinition, info: RequestInfo): ResourceVerb | undefined {
  if (info.subresource === '' && definition.stored) return undefined;
  const virtual = virtualVerbs.get(`${definition.group}/${definition.resource}`);
  if (virtual !== undefined) return virtual;
  const key = `${definition.group}/${definition.resource}/${info.subresource}`;
  return Object.hasOwn(subresourceVerbs, key) ? subresourceVerbs[key]?.[info.verb] : undefined;
}
