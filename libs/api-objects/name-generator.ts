import { randomInt, randomUUID } from 'node:crypto';

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestName = 63;

/** Returns the random suffix of generated names: five characters of an alphabet without vowels and look-alikes. */
export function randomSuffix(randomBelow: (limit: number) => number = randomInt): string {
  let suffix = '';
  for (let i = 0; i < suffixLength; i++) suffix += suffixAlphabet[randomBelow(suffixAlphabet.length)];
  return suffix;
}

/** Generates a name from metadata.generateName: the prefix, cut so that the name has at most 63 characters, and a suffix. */
export function generateNameFrom(prefix: string, suffix: string = randomSuffix()): string {
  return prefix.slice(0, longestName - suffix.length) + suffix;
}

/** Returns a new random UID (UUID version 4). */
export function randomUid(): string {
  return randomUUID();
}
