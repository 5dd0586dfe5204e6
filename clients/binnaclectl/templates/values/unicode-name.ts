/** The name of a character in messages, as Go's `%#U` has it: `U+007E '~'`. */
export function unicodeName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return /\p{C}/u.test(character) ? `U+${code}` : `U+${code} '${character}'`;
}
