import { createHash } from 'node:crypto';
import type { Vocabulary } from '@binnacle/api-names';
import { readJson } from '@binnacle/api-objects';
import { apiNamesKey, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/** A text of a converted object that converting back would not restore. */
export interface KeptName {
  /** Its place in the converted object; for a part of the key `@group`, `@namespace` or `@name`. */
  readonly place: string;
  readonly now: string;
  readonly was: string;
}

/** The data that the store keeps of a converted object, so that converting back restores the original. */
export interface KeptNames {
  /** The key of the converted object. */
  readonly key: StorageKey;
  readonly names: readonly KeptName[];
  /** Places of members and entries that were left out because the conversion made them equal to others; absent: none. */
  readonly leftOut?: readonly string[];
  /** The whole original value, with the digest of the converted one, where the texts alone do not restore it. */
  readonly whole?: { readonly digest: string; readonly value: string };
}

/** Returns the prefix of the kept data of conversions to a vocabulary. */
export function keptPrefix(to: Vocabulary): StorageKey {
  return storageKeyFrom(`${apiNamesKey}/kept/${to}/`);
}

/** Returns the prefix for objects that a conversion to a vocabulary sets aside, because another object has their new key. */
export function asidePrefix(to: Vocabulary): StorageKey {
  return storageKeyFrom(`${apiNamesKey}/aside/${to}/`);
}

/** Creates the key of an object below one of these prefixes: a digest, because object keys may have the maximum length. */
export function keyBelow(prefix: StorageKey, key: StorageKey): StorageKey {
  return storageKeyFrom(`${prefix}${createDigest(Buffer.from(key))}`);
}

/** Computes the SHA-256 digest of bytes, in hexadecimal. */
export function createDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Encodes kept names. */
export function encodeKept(kept: KeptNames): Uint8Array {
  return Buffer.from(JSON.stringify(kept));
}

/** Decodes the bytes of `encodeKept`. */
export function decodeKept(bytes: Uint8Array): KeptNames {
  return readJson(Buffer.from(bytes).toString(), false) as unknown as KeptNames; // Written by encodeKept.
}

/** Encodes an object that is set aside: its key, a line feed, its value. */
export function encodeAside(key: StorageKey, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${key}\n`), value]);
}

/** Decodes the bytes of `encodeAside`. */
export function decodeAside(bytes: Uint8Array): { readonly key: StorageKey; readonly value: Uint8Array } {
  const end = bytes.indexOf(0x0a);
  const key = storageKeyFrom(Buffer.from(bytes.subarray(0, end)).toString());
  return { key, value: bytes.subarray(end + 1) };
}
