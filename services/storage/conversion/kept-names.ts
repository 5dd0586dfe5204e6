import { createHash } from 'node:crypto';
import type { Vocabulary } from '@binnacle/api-names';
import { readJson } from '@binnacle/api-objects';
import { apiNamesKey, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/** A text of a converted object that the way back would not turn into what it was. */
export interface KeptName {
  /** Where it stands in the converted object; for a part of the key `@group`, `@namespace` or `@name`. */
  readonly place: string;
  readonly now: string;
  readonly was: string;
}

/** The facts that the store keeps of a converted object, so that converting back gives the object from before. */
export interface KeptNames {
  /** The key that the object has now. */
  readonly key: StorageKey;
  readonly names: readonly KeptName[];
  /** Places of members and entries that were left out, since the conversion made them equal to others; absent: none. */
  readonly leftOut?: readonly string[];
  /** The value from before as a whole, and the digest of that of now, where the texts alone do not lead back. */
  readonly whole?: { readonly digest: string; readonly value: string };
}

/** Where a conversion to a vocabulary puts what it keeps, and one from it finds that. */
export function keptPrefix(to: Vocabulary): StorageKey {
  return storageKeyFrom(`${apiNamesKey}/kept/${to}/`);
}

/** Where a conversion to a vocabulary sets objects aside whose new key is another object's. */
export function asidePrefix(to: Vocabulary): StorageKey {
  return storageKeyFrom(`${apiNamesKey}/aside/${to}/`);
}

/** The key below one of these prefixes for an object: a digest, for keys of objects may be as long as keys can be. */
export function keyBelow(prefix: StorageKey, key: StorageKey): StorageKey {
  return storageKeyFrom(`${prefix}${createDigest(Buffer.from(key))}`);
}

/** A digest of bytes. */
export function createDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The kept names, as bytes. */
export function encodeKept(kept: KeptNames): Uint8Array {
  return Buffer.from(JSON.stringify(kept));
}

/** Reads what `encodeKept` wrote. */
export function decodeKept(bytes: Uint8Array): KeptNames {
  return readJson(Buffer.from(bytes).toString(), false) as unknown as KeptNames; // Written by encodeKept.
}

/** An object that was set aside, as bytes: its key, a line feed, its value. */
export function encodeAside(key: StorageKey, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${key}\n`), value]);
}

/** Reads what `encodeAside` wrote. */
export function decodeAside(bytes: Uint8Array): { readonly key: StorageKey; readonly value: Uint8Array } {
  const end = bytes.indexOf(0x0a);
  const key = storageKeyFrom(Buffer.from(bytes.subarray(0, end)).toString());
  return { key, value: bytes.subarray(end + 1) };
}
