import { MalformedRequest } from './malformed-request.ts';

declare const storageKeyBrand: unique symbol;

/**
 * A key of the store. Object keys have the form `/<group or "core">/<resource>/<namespace or "">/<name>`; reserved
 * keys begin with `/_` and never appear in the change feed.
 */
export type StorageKey = string & { readonly [storageKeyBrand]: true };

/** A point in the history of the store: a whole number, greater for every later transaction. 0 stands for none. */
export type Revision = number;

/** Longest key in bytes that every backend takes. */
export const maxKeyBytes = 1900;

/** Where unique things that objects hold are reserved: `/_claims/services/cluster-ip/10.96.0.1`. */
export const reservationPrefix = '/_claims/';

/** Where the API names of the store are kept: which vocabulary its keys and objects are written in. */
export const apiNamesKey = '/_api-names' as StorageKey; // A key by its form.

/** Where the revision of each object type's last write is kept: `/_revisions/core/configmaps`. */
export const typeRevisionPrefix = '/_revisions/';

/** The storage key that a text is. Throws MalformedRequest for a text that is not one. */
export function storageKeyFrom(text: string): StorageKey {
  if (!isKey(text)) throw new MalformedRequest(`not a storage key: ${text.slice(0, 80)}`);
  return text;
}

/** The storage key that a text is; undefined for a text that is none, such as one that is too long. */
export function findStorageKey(text: string): StorageKey | undefined {
  return isKey(text) ? text : undefined;
}

function isKey(text: string): text is StorageKey {
  return text.startsWith('/') && !text.includes('\0') && Buffer.byteLength(text) <= maxKeyBytes;
}

/** Whether a key belongs to the store's own bookkeeping and is no object. */
export function isReservedKey(key: StorageKey): boolean {
  return key.startsWith('/_');
}

/** The prefix of all objects of the type that an object key belongs to: `/core/configmaps/`. */
export function typePrefixFromKey(key: StorageKey): StorageKey {
  const end = key.indexOf('/', key.indexOf('/', 1) + 1);
  if (end < 0) throw new MalformedRequest(`not an object key: ${key.slice(0, 80)}`);
  return key.slice(0, end + 1) as StorageKey; // A prefix of a key is a key.
}

/** The reserved key under which the revision of a type's last write is found: `/_revisions/core/configmaps`. */
export function typeRevisionKey(typePrefix: StorageKey): StorageKey {
  return `${typeRevisionPrefix}${typePrefix.slice(1, -1)}` as StorageKey; // Built from a key.
}
