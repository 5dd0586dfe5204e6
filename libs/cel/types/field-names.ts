import { keywords, reservedWords } from './reserved-words.ts';

const accessible = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;
const escapedParts = /__|[./-]/g;

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * The name that expressions have for a member of an object; undefined for one that they cannot reach (specification 2,
 * "Expression language").
 */
export function fieldNameFromMember(member: string): string | undefined {
  if (keywords.has(member) || reservedWords.has(member)) return `__${member}__`;
  if (!accessible.test(member)) return undefined;
  return member.replaceAll(escapedParts, part => escapes[part] ?? part);
}
