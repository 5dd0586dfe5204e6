import { isJsonObject } from '@binnacle/api-objects';
import { formatFloat } from './format-float.ts';
import { type GoValue, goValueFromJson, readMember, sortedKeys } from './go-value.ts';

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** A text in double quotes with Go's escapes; `asciiOnly` escapes every other character. */
export function quoteGo(text: string, asciiOnly = false): string {
  return `"${[...text].map(character => escaped(character, '"', asciiOnly)).join('')}"`;
}

/** A character in single quotes with Go's escapes. */
export function quoteGoCharacter(character: string, asciiOnly = false): string {
  return `'${escaped(character, "'", asciiOnly)}'`;
}

function escaped(character: string, quote: string, asciiOnly: boolean): string {
  if (character === quote) return `\\${quote}`;
  const short = escapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x7f ? code >= 0x20 : !asciiOnly && printable.test(character)) return character;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A value as Go's `%#v` has it. */
export function goSyntax(value: GoValue): string {
  if (value === undefined || value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteGo(value);
  if (typeof value === 'number') return formatFloat(value, 'g');
  if (Array.isArray(value))
    return `[]interface {}{${value.map(item => goSyntax(goValueFromJson(item))).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const members = sortedKeys(value).map(key => `${quoteGo(key)}:${goSyntax(readMember(value, key))}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
