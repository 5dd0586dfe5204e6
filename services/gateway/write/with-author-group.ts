import { type ApiObject, apiVersionOf, equalJson } from '@binnacle/api-objects';
import { decodeStored } from '@binnacle/codecs';
import type { ApiRequest } from '../request/api-request.ts';
import type { CurrentObject } from './engine/current-object.ts';

/**
 * An object as it is to be stored. One that names webhooks has the apiVersion with the group name or alias of the request that wrote
 * last where these are; any other write, and any other kind, leaves the apiVersion as it is.
 */
export function withAuthorGroup(
  { definition, info }: ApiRequest,
  object: ApiObject,
  before: CurrentObject | undefined,
): ApiObject {
  const { webhookClients } = definition.rules;
  if (webhookClients === undefined) return object;
  const isAuthor =
    before === undefined ||
    (info.subresource === '' && !equalJson(webhookClients(object), webhookClients(before.object)));
  const apiVersion = isAuthor
    ? apiVersionOf({ group: info.group, version: definition.version })
    : decodeStored(before.stored, 0).apiVersion;
  return { ...object, apiVersion };
}
