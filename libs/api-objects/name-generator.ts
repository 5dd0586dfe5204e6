import { randomInt, randomUUID } from 'node:crypto';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_NAME = 63;

/** Five random characters of an alphabet without vowels and look-alikes, as in generated names. */
export function randomSuffix(randomBelow: (limit: number) => number = randomInt): string {
  let suffix = '';
  for (let i = 0; i < SUFFIX_LENGTH; i++) suffix += ALPHABET[randomBelow(ALPHABET.length)];
  return suffix;
}

/** Makes a name from metadata.generateName: the prefix, cut so that the name has at most 63 characters, and a suffix. */
export function generateNameFrom(prefix: string, suffix: string = randomSuffix()): string {
  return prefix.slice(0, LONGEST_NAME - suffix.length) + suffix;
}

/** A new random uid (UUID version 4). */
export function randomUid(): string {
  return randomUUID();
}
