import type { ApiObject } from '@binnacle/api-objects';
import { isJsonObject } from '@binnacle/api-objects';
import type { ApiRequest } from '../request/api-request.ts';
import { userInfoOf } from '../request/user-info.ts';

/** The kinds whose objects say who asked for them: that is the server's to say, whatever the client sent. */
const namesRequester = new Set(['certificates.cluster.io/certificatesigningrequests']);

/** Writes who makes the request into a new object of a kind that says so. */
export function stampRequester({ definition, user }: ApiRequest, object: ApiObject): void {
  if (!namesRequester.has(`${definition.group}/${definition.resource}`)) return;
  const spec = isJsonObject(object['spec']) ? object['spec'] : {};
  for (const key of ['username', 'uid', 'groups', 'extra']) delete spec[key];
  object['spec'] = { ...spec, ...userInfoOf(user) };
}
