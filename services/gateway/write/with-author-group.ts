import { type ApiObject, apiVersionOf, equalJson } from '@binnacle/api-objects';
import { decodeStored } from '@binnacle/codecs';
import type { ApiRequest } from '../request/api-request.ts';
import type { CurrentObject } from './engine/current-object.ts';

/**
 * An object as it is to be stored. One of a kind that makes the server ask by the names of an author has the apiVersion with the group
 * name or alias of the request that last changed what its author says; any other write, and any other kind, leaves the apiVersion as it
 * is.
 */
export function withAuthorGroup(
  { definition, info }: ApiRequest,
  object: ApiObject,
  before: CurrentObject | undefined,
): ApiObject {
  const { authored } = definition.rules;
  if (authored === undefined) return object;
  const isAuthor =
    before === undefined ||
    (info.subresource === '' && !equalJson(authored(object), authored(before.object)));
  const apiVersion = isAuthor
    ? apiVersionOf({ group: info.group, version: definition.version })
    : decodeStored(before.stored, 0).apiVersion;
  return { ...object, apiVersion };
}
