import { notFound, serviceUnavailable } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult, ResourceVerbs } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { type CurrentServices, readCurrent } from '../write/engine/current-object.ts';

/** Streams that only the agent of the pod's node can serve: 404 without a pod, else what is missing. */
export const streamVerbs: ResourceVerbs<CurrentServices> = { create: refuse, get: refuse };

/** The log of a container, which only the agent of the pod's node has. */
export const logVerbs: ResourceVerbs<CurrentServices> = { get: refuse };

async function refuse(request: ApiRequest, services: CurrentServices): Promise<ApiResult> {
  const { definition, info } = request;
  if ((await readCurrent(request, services)) === undefined)
    throw notFound(resourceNameOf(definition), info.name);
  throw serviceUnavailable(
    `${definition.resource}/${info.subresource} of ${JSON.stringify(info.name)} is served by the agent of its node, and this server has no node agent proxy configured`,
  );
}
