import { apiNamesKey, reservationPrefix, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/**
 * Prefixes of the keys that a backup has, in its order: what a conversion of API names kept, reservations, and objects. The names record and
 * the form are in the header. The other reserved keys are left out: leases, leaders, the guard, type revisions and the revision floor belong to
 * one deployment or are made anew.
 */
export const backedUpPrefixes: readonly StorageKey[] = [
  storageKeyFrom(`${apiNamesKey}/`),
  storageKeyFrom(reservationPrefix),
  storageKeyFrom('/'),
];
