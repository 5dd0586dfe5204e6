import { randomFillSync, randomInt } from 'node:crypto';

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

const uidBytes = 16;
/** Random bytes of the next UIDs. */
const randomPool = Buffer.allocUnsafeSlow(128 * uidBytes);
let poolUsed = randomPool.length;

const dash = 0x2d;
const hexDigits = Buffer.from('0123456789abcdef');
/** Text of the UID under construction. */
const uidText = Buffer.alloc(36, dash);

/** Returns a new random UID (UUID version 4). `randomUUID` of Node makes ten times the garbage. */
export function randomUid(): string {
  if (poolUsed === randomPool.length) {
    randomFillSync(randomPool);
    poolUsed = 0;
  }
  let at = 0;
  for (let i = 0; i < uidBytes; i++) {
    let byte = randomPool[poolUsed++]!;
    if (i === 6) byte = 0x40 | (byte & 0x0f);
    else if (i === 8) byte = 0x80 | (byte & 0x3f);
    if (i === 4 || i === 6 || i === 8 || i === 10) at++;
    uidText[at++] = hexDigits[byte >> 4]!;
    uidText[at++] = hexDigits[byte & 0x0f]!;
  }
  return uidText.toString('latin1');
}
