import type { JsonObject } from '@binnacle/api-objects';
import type { Requester } from '@binnacle/api-types';
import type { User } from './api-request.ts';

/** A user as the API shows one (spec 2, "User attributes"); what is empty is left out. */
export function userInfoFromUser({ username, uid, groups, extra }: User): Requester & JsonObject {
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}
