import { MalformedRequest } from './malformed-request.ts';

declare const storageKeyBrand: unique symbol;

/**
 * A key of the store. Object keys have the form `/<group or "core">/<resource>/<namespace or "">/<name>`; reserved keys begin
 * with `/_` and never appear in the change feed.
 */
export type StorageKey = string & { readonly [storageKeyBrand]: true };

/** A point in the history of the store: an integer, greater for every later transaction. 0 means no revision. */
export type Revision = number;

/** Maximum key length in bytes, supported by every backend. */
export const maxKeyBytes = 1900;

/** Prefix of reservations of unique values: `/_claims/services/cluster-ip/10.96.0.1`. */
export const reservationPrefix = '/_claims/';

/** Key of the store's API names: the vocabulary of its keys and objects. */
export const apiNamesKey = '/_api-names' as StorageKey; // A key by its form.

/** Key of the record of the store's form: which releases may use the store. */
export const storeFormKey = '/_store-form' as StorageKey; // A key by its form.

/** Prefix of the keys that hold the revision of each object type's last write: `/_revisions/core/configmaps`. */
export const typeRevisionPrefix = '/_revisions/';

/** Converts a text to a storage key. Throws MalformedRequest if it is not a valid key. */
export function storageKeyFrom(text: string): StorageKey {
  if (!isKey(text)) throw new MalformedRequest(`not a storage key: ${text.slice(0, 80)}`);
  return text;
}

/** Converts a text to a storage key; undefined if it is not a valid key, for example if it is too long. */
export function findStorageKey(text: string): StorageKey | undefined {
  return isKey(text) ? text : undefined;
}

function isKey(text: string): text is StorageKey {
  return text.startsWith('/') && !text.includes('\0') && Buffer.byteLength(text) <= maxKeyBytes;
}

/** Whether a key is internal to the store and not an object key. */
export function isReservedKey(key: StorageKey): boolean {
  return key.startsWith('/_');
}

/** Returns the prefix of all objects of an object key's type: `/core/configmaps/`. */
export function typePrefixFromKey(key: StorageKey): StorageKey {
  const end = key.indexOf('/', key.indexOf('/', 1) + 1);
  if (end < 0) throw new MalformedRequest(`not an object key: ${key.slice(0, 80)}`);
  return key.slice(0, end + 1) as StorageKey; // A prefix of a key is a key.
}

/** Returns the reserved key of the revision of a type's last write: `/_revisions/core/configmaps`. */
export function typeRevisionKey(typePrefix: StorageKey): StorageKey {
  return `${typeRevisionPrefix}${typePrefix.slice(1, -1)}` as StorageKey; // Built from a key.
}
