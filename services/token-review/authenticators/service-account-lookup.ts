import { timingSafeEqual } from 'node:crypto';
import { understood } from '@binnacle/api-names';
import { type ApiObject, parseTimestamp } from '@binnacle/api-objects';
import type { Secret } from '@binnacle/api-types/core/v1';
import type { CallContext } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import { readStoredObject } from './read-stored-object.ts';
import type { TokenClaims } from './token-claims.ts';

/** Options of the look-up of objects. */
interface Lookup {
  readonly storage: Storage;
  readonly call: CallContext;
  /**
   * Milliseconds since 1970. An object counts as existing unless its deletion time is before this: a pod needs its token during its
   * grace period.
   */
  readonly deletedBefore: number;
}

/** Whether the account of a token, and the pod or secret to which it is bound, exist with the uids for which it was issued. */
export async function isBoundToLiveObjects(claims: TokenClaims, lookup: Lookup): Promise<boolean> {
  const { namespace, serviceAccount, pod, secret } = claims;
  const bound = [
    { resource: 'serviceaccounts', ...serviceAccount } as const,
    ...(pod ? [{ resource: 'pods', ...pod } as const] : []),
    ...(secret ? [{ resource: 'secrets', ...secret } as const] : []),
  ];
  const objects = await Promise.all(
    bound.map(({ resource, name }) =>
      readStoredObject(lookup.storage, { resource, namespace, name }, lookup.call),
    ),
  );
  return bound.every(({ uid }, index) => isLive(objects[index], uid, lookup));
}

/** Whether the Secret that a token names belongs to its account and still holds this token, and the account exists. */
export async function isHeldBySecret(token: string, claims: TokenClaims, lookup: Lookup): Promise<boolean> {
  const { namespace, serviceAccount, heldBy = '' } = claims;
  const { storage, call } = lookup;
  const [secret, account] = await Promise.all([
    readStoredObject(storage, { resource: 'secrets', namespace, name: heldBy }, call),
    readStoredObject(storage, { resource: 'serviceaccounts', namespace, name: serviceAccount.name }, call),
  ]);
  if (secret === undefined || secret.metadata.deletionTimestamp) return false;
  if (!holds(secret, token) || !namesAccount(secret, serviceAccount.name)) return false;
  return (
    account !== undefined &&
    !account.metadata.deletionTimestamp &&
    isLive(account, serviceAccount.uid, lookup)
  );
}

function isLive(object: ApiObject | undefined, uid: string, { deletedBefore }: Lookup): boolean {
  if (object === undefined || object.metadata.uid !== uid) return false;
  const { deletionTimestamp } = object.metadata;
  return !deletionTimestamp || (parseTimestamp(deletionTimestamp) ?? 0) >= deletedBefore;
}

function namesAccount({ metadata: { annotations = {} } }: Secret, account: string): boolean {
  return understood.annotations.serviceAccountName.some(name => annotations[name] === account);
}

function holds({ data = {} }: Secret, token: string): boolean {
  const [held, presented] = [Buffer.from(data['token'] ?? '', 'base64'), Buffer.from(token)];
  return held.length === presented.length && timingSafeEqual(held, presented);
}
