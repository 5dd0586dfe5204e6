import type { ResourceDefinition } from '@binnacle/api-types';
import type { RequestInfo, ResourceVerb } from '../pipeline/api-request.ts';
import { virtualVerbs } from '../virtual/virtual-verbs.ts';
import { patchVerb } from '../write/patch.ts';
import { updateVerb } from '../write/update.ts';
import { bindNamedPod, bindPod } from './binding.ts';
import { approvalVerbs, signingStatusVerbs } from './certificate-signing-requests.ts';
import { evictPod } from './eviction.ts';
import { nodeAgentVerbs } from './node-agent.ts';
import { scaleVerbs } from './scale.ts';
import { requestToken } from './service-account-token.ts';
import type { SubresourceVerbs } from './subresource-verbs.ts';

/**
 * The subresources that are more than another way to the object, and the operations that are not stored, by
 * `<group>/<resource>/<subresource>`: the core group is "", and so is the subresource of an operation.
 */
const subresourceVerbs: Readonly<Record<string, SubresourceVerbs>> = {
  '/bindings/': { create: bindNamedPod },
  '/pods/attach': nodeAgentVerbs,
  '/pods/binding': { create: bindPod },
  '/pods/ephemeralcontainers': { update: updateVerb, patch: patchVerb },
  '/pods/eviction': { create: evictPod },
  '/pods/exec': nodeAgentVerbs,
  '/pods/log': nodeAgentVerbs,
  '/pods/portforward': nodeAgentVerbs,
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
  const verbs = Object.hasOwn(subresourceVerbs, key) ? subresourceVerbs[key] : scaleVerbsOf(definition, info);
  return verbs?.[info.verb];
}

/** Scales are the same thing everywhere: where the figures stand is all that differs. */
function scaleVerbsOf(definition: ResourceDefinition, info: RequestInfo): SubresourceVerbs | undefined {
  const subresource = definition.subresources.get(info.subresource);
  return subresource && scaleVerbs(subresource);
}
