import { type JsonValue, LargeContainers, valuesAtOnce } from '@binnacle/api-objects';
import { plainScalar } from './yaml/scalar-values.ts';

/**
 * Encodes a value as YAML for `application/yaml` responses, members sorted by name.
 *
 * The output equals that of the `yaml` package (core schema, no line width, lists not indented) byte for byte, in a fortieth of
 * its time: the package first builds a tree of nodes. (A top-level string, which no response contains, may differ.)
 */
export function encodeYaml(value: JsonValue): string {
  return `${valueText(value, '')}\n`;
}

/** Encodes a value as `encodeYaml` does. Yields between steps of bounded size, except within a single long string. */
export function* encodeYamlSteps(value: JsonValue): Generator<void, string> {
  return `${yield* valueSteps(value, '')}\n`;
}

/**
 * Encodes the first line of a top-level member whose value is a list; `yamlListItem` encodes its items. For an empty list use
 * `encodeYaml`.
 */
export function yamlListStart(name: string): string {
  return `${keyText(name)}:\n`;
}

/** Encodes one item of a top-level list. */
export function yamlListItem(value: JsonValue): string {
  return `- ${valueText(value, '  ')}\n`;
}

/** Encodes an item as `yamlListItem` does, with yields between steps. */
export function* yamlListItemSteps(value: JsonValue): Generator<void, string> {
  return `- ${yield* valueSteps(value, '  ')}\n`;
}

function valueText(value: JsonValue, indent: string): string {
  switch (typeof value) {
    case 'string':
      return encodeText(value, indent);
    case 'number':
      return Object.is(value, -0) ? '-0' : JSON.stringify(value);
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return value === null ? 'null' : collectionText(value, indent);
  }
}

function collectionText(value: JsonValue & object, indent: string): string {
  if (Array.isArray(value)) return listText(value, indent);
  const keys = Object.keys(value)
    .filter(key => value[key] !== undefined)
    .sort();
  if (keys.length === 0) return '{}';
  let text = '';
  for (const key of keys) {
    if (text !== '') text += `\n${indent}`;
    text += memberText(key, value[key]!, indent); // Undefined members were filtered out.
  }
  return text;
}

function listText(items: readonly JsonValue[], indent: string): string {
  if (items.length === 0) return '[]';
  const inner = `${indent}  `;
  let text = '';
  for (const item of items) {
    if (text !== '') text += `\n${indent}`;
    text += `- ${valueText(item, inner)}`;
  }
  return text;
}

/** Longer keys require the explicit form with a question mark. */
const longestImplicitKey = 1024;

function memberText(name: string, value: JsonValue, indent: string): string {
  const key = memberKey(name, indent);
  const inner = `${indent}  `;
  if (key.length > longestImplicitKey) return `? ${key}\n${indent}: ${valueText(value, inner)}`;
  if (typeof value !== 'object' || value === null) return `${key}: ${valueText(value, inner)}`;
  if (Array.isArray(value))
    return value.length === 0 ? `${key}: []` : `${key}:\n${indent}${listText(value, indent)}`;
  const members = collectionText(value, inner);
  return members === '{}' ? `${key}: {}` : `${key}:\n${inner}${members}`;
}

function memberKey(name: string, indent: string): string {
  const plain = keyText(name);
  return indent === '' && isLikeMarker(plain) ? quoted(plain) : plain;
}

function* valueSteps(value: JsonValue, indent: string): Generator<void, string> {
  if (isLongText(value)) return yield* textSteps(value, indent);
  const large = new LargeContainers();
  if (large.valuesBelow(value) <= valuesAtOnce && !hasLongText(value)) return valueText(value, indent);
  const parts: string[] = [];
  yield* writeLarge(value, indent, { parts, large });
  return parts.join('');
}

/** Output of a large value, in parts. */
interface LargeText {
  readonly parts: string[];
  readonly large: LargeContainers;
}

/** Encodes a container as `collectionText` does. */
function* writeLarge(value: JsonValue, indent: string, text: LargeText): Generator<void, void> {
  const { parts, large } = text;
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  let separator = '';
  let values = 0;
  yield;
  const keys = large.findKeys(value) ?? Object.keys(value ?? {});
  const ordered = isList ? keys : [...keys].sort();
  if (!isList) yield;
  for (const key of ordered) {
    const member = (value as { readonly [key: string]: JsonValue | undefined })[key]; // An index or key of the value.
    if (member === undefined) continue;
    const below = large.valuesBelow(member);
    if (isLongText(member)) {
      const start = isList ? '- ' : textStart(String(key), indent);
      parts.push(separator, start, yield* textSteps(member, inner));
    } else if (below <= valuesAtOnce && !hasLongText(member)) {
      const written = isList ? `- ${valueText(member, inner)}` : memberText(String(key), member, indent);
      parts.push(separator, written);
    } else {
      const start = isList ? { text: '- ', inner } : memberStart(String(key), member, indent);
      parts.push(separator, start.text);
      yield* writeLarge(member, start.inner, text);
    }
    separator = `\n${indent}`;
    values += 1 + Math.min(below, valuesAtOnce);
    if (values < valuesAtOnce) continue;
    values = 0;
    yield;
  }
}

function textStart(name: string, indent: string): string {
  const key = memberKey(name, indent);
  return key.length > longestImplicitKey ? `? ${key}\n${indent}: ` : `${key}: `;
}

/** Encodes a member up to its non-empty container; returns the text and the container's indentation. */
function memberStart(
  name: string,
  value: JsonValue,
  indent: string,
): { readonly text: string; readonly inner: string } {
  const key = memberKey(name, indent);
  const inner = `${indent}  `;
  if (key.length > longestImplicitKey) return { text: `? ${key}\n${indent}: `, inner };
  return Array.isArray(value)
    ? { text: `${key}:\n${indent}`, inner: indent }
    : { text: `${key}:\n${inner}`, inner };
}

const keysKept = 4096;
const longestKeyKept = 64;
const keyTexts = new Map<string, string>();

/** Encodes a field name; results are cached, because objects share their field names. */
function keyText(name: string): string {
  const kept = keyTexts.get(name);
  if (kept !== undefined) return kept;
  const text = control.test(name) || name.includes('\n') ? doubleQuoted(name) : lineText(name);
  if (name.length <= longestKeyKept && keyTexts.size < keysKept) keyTexts.set(name, text);
  return text;
}

function encodeText(text: string, indent: string): string {
  if (control.test(text)) return doubleQuoted(text, indent);
  return text.includes('\n') ? blockText(text, indent) : lineText(text);
}

/** Control characters other than tabs and line feeds, lone surrogates, and the characters of `unsafeCharacters`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\u{D800}-\u{DFFF}]/u;
/** Characters that end a line in YAML 1.1 or that its readers refuse; JSON does not escape them. */
const unsafeCharacters = /[\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Texts whose first, inner or last characters require quotes. */
const notPlain = /^[\n\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]$/;
/** First characters of texts that could be read as values of other types. */
const startsLikeOther = /^[-+.~0-9nNtTfFyYoO]|^(?:<<|=)?$/;

/** Longer texts, in characters, are encoded in steps of this size. */
const charactersPerStep = 65_536;

function isLongText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length > charactersPerStep;
}

/** Whether a value with few nested values contains a long text. */
function hasLongText(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return isLongText(value);
  for (const key in value)
    if (hasLongText((value as { readonly [key: string]: JsonValue })[key])) return true; // As above.
  return false;
}

/** Encodes a long text as `encodeText` does. */
function* textSteps(text: string, indent: string): Generator<void, string> {
  yield;
  if (control.test(text)) return yield* doubleQuotedSteps(text, indent);
  yield;
  return text.includes('\n') ? yield* blockSteps(text, indent) : lineText(text);
}

function lineText(text: string): string {
  if (!notPlain.test(text) && !(startsLikeOther.test(text) && isLikeOther(text))) return text;
  return quoted(text);
}

function quoted(text: string): string {
  return text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}

/** Whether an unquoted key starts a line like a directive or document marker. */
function isLikeMarker(key: string): boolean {
  return /^(?:%|---|\.\.\.)/m.test(key) && key[0] !== '"' && key[0] !== "'";
}

/** Longer texts count as numbers if they only contain characters of numbers and times. */
const longestNumber = 1024;
const numberCharacters = /^[-+.:_\s\da-fA-FobxTZ]*$/;

function isLikeOther(text: string): boolean {
  if (text.length > longestNumber) return numberCharacters.test(text);
  return plainScalar(text).type !== 'str' || likeOther.some(test => test.test(text));
}

/** Texts that YAML 1.1 readers interpret as merge keys, timestamps, booleans or numbers; they are quoted. */
const notTextInOlderYaml = [
  /^(?:<<|=)$/,
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|\s+)[\d:.]+\s*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/,
  /^(?:y|n|yes|no|on|off|true|false)$/i,
  /^[-+]?(?:0b[01_]+|0x[\da-f_]+|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d[\d_]*|\.inf)$|^\.nan$/i,
];

/** Texts that YAML 1.2 or older readers interpret as other types. */
const likeOther = [
  /^(?:~|[Nn]ull|NULL)?$/,
  /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/,
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/,
  /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/,
  /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/,
  /^0o[0-7]+$/,
  /^[-+]?[0-9]+$/,
  /^0x[0-9a-fA-F]+$/,
  ...notTextInOlderYaml,
];

/** Texts whose JSON is shorter than this stay on one line when quoted. */
const shortestFolded = 40;
/** YAML escapes of the control characters, by code. */
const controlEscapes = Array.from({ length: 0x20 }, (_, code) => `\\x${code.toString(16).padStart(2, '0')}`);
for (const [code, written] of [
  [0x00, '\\0'],
  [0x07, '\\a'],
  [0x0b, '\\v'],
  [0x1b, '\\e'],
] as const)
  controlEscapes[code] = written;

/** Encodes a text in double quotes, on one line if there is no indentation. */
function doubleQuoted(text: string, indent?: string): string {
  const escaping = startEscaping(text, indent);
  return escapedUntil(escaping, Number.POSITIVE_INFINITY) + escapedEnd(escaping);
}

function* doubleQuotedSteps(text: string, indent: string): Generator<void, string> {
  const escaping = startEscaping(text, indent);
  const parts: string[] = [];
  for (let end = charactersPerStep; escaping.at >= 0; end += charactersPerStep) {
    parts.push(escapedUntil(escaping, end));
    yield;
  }
  parts.push(escapedEnd(escaping));
  return parts.join('');
}

/** State of converting the JSON escapes of a text to YAML escapes. */
interface Escaping {
  readonly json: string;
  /** Indentation of folded lines; undefined: lines are not folded. */
  readonly foldsAt: string | undefined;
  /** Start of the text that is not yet written. */
  start: number;
  /** Position of the next escape; negative if there is none. */
  at: number;
}

function startEscaping(text: string, indent: string | undefined): Escaping {
  const json = JSON.stringify(text);
  const foldsAt = indent !== undefined && json.length >= shortestFolded ? indent : undefined;
  return { json, foldsAt, start: 0, at: json.indexOf('\\') };
}

/** Writes the text up to the last escape before `end`. */
function escapedUntil(escaping: Escaping, end: number): string {
  const { json, foldsAt } = escaping;
  let { start, at } = escaping;
  let written = '';
  for (; at >= 0 && at < end; at = nextEscape(json, start)) {
    const isLineEnd = json[at + 1] === 'n';
    // A space before the end of a line would be removed by folding.
    const isAfterSpace = isLineEnd && at > start && json[at - 1] === ' ';
    if (isAfterSpace) written += `${json.slice(start, at - 1)}\\ `;
    else if (start < at) written += json.slice(start, at);
    start = at + (json[at + 1] === 'u' ? 6 : 2);
    if (isLineEnd && foldsAt !== undefined) {
      const ends = lineEndsAt(json, at);
      start = at + 2 * ends.count;
      written += ends.written === 0 ? '' : `\n${'\n'.repeat(ends.written)}${foldsAt}`;
      if (ends.written < ends.count) written += '\\n';
      else if (json[start] === ' ') written += '\\';
    } else {
      written += escapeIn(json, at);
    }
  }
  escaping.start = start;
  escaping.at = at;
  return withSafeCharacters(written);
}

function escapedEnd({ json, start }: Escaping): string {
  return withSafeCharacters(json.slice(start));
}

function withSafeCharacters(written: string): string {
  return written.replace(unsafeCharacters, character => `\\u${character.charCodeAt(0).toString(16)}`);
}

function nextEscape(json: string, start: number): number {
  return json[start] === '\\' ? start : json.indexOf('\\', start);
}

/** Counts consecutive line ends, and how many of them are written as line breaks: the last one of a text is escaped instead. */
function lineEndsAt(json: string, at: number): { readonly count: number; readonly written: number } {
  let end = at + 2;
  while (json[end] === '\\' && json[end + 1] === 'n') end += 2;
  const count = (end - at) / 2;
  return { count, written: end === json.length - 1 ? count - 1 : count };
}

function escapeIn(json: string, at: number): string {
  if (json[at + 1] !== 'u') return json.slice(at, at + 2);
  const isHalf = json[at + 2] !== '0';
  return isHalf ? json.slice(at, at + 6) : controlEscapes[hexAt(json, at + 4) * 16 + hexAt(json, at + 5)]!; // JSON escapes only these.
}

function hexAt(json: string, at: number): number {
  const code = json.charCodeAt(at);
  return code < 0x61 ? code - 0x30 : code - 0x57;
}

/** Literal blocks cannot contain trailing white space, or tabs where YAML 1.1 expects indentation. */
const notInBlock = /\n[\t ]+$|^[\n ]*\t/;

/** Encodes a text of several lines as a literal block. */
function blockText(text: string, indent: string): string {
  const block = findBlock(text, indent);
  if (block === undefined) return doubleQuoted(text, indent);
  return block.start + indented(block.content, indent) + block.end;
}

function* blockSteps(text: string, indent: string): Generator<void, string> {
  const block = findBlock(text, indent);
  yield;
  if (block === undefined) return yield* doubleQuotedSteps(text, indent);
  const { start, content, end } = block;
  const parts = [start];
  for (let from = 0; from < content.length; ) {
    let to = Math.min(from + charactersPerStep, content.length);
    // The encoding of a line end depends on the following text.
    while (to < content.length && content[to - 1] === '\n') to++;
    parts.push(indented(content.slice(from, to), indent));
    from = to;
    yield;
  }
  parts.push(end);
  return parts.join('');
}

/** A literal block: its header, its lines and the line ends after them. */
interface Block {
  readonly start: string;
  /** Without indentation. */
  readonly content: string;
  readonly end: string;
}

/** Returns undefined for a text that cannot be a literal block. */
function findBlock(text: string, indent: string): Block | undefined {
  const contentEnd = lengthWithoutEnd(text);
  if (notInBlock.test(text) || (contentEnd === 0 && text.includes(' '))) return undefined;
  const end = text.slice(contentEnd);
  const lineEnd = end.indexOf('\n');
  const keepsEnd = contentEnd === 0 || lineEnd !== end.length - 1;
  const chomp = lineEnd < 0 ? '-' : keepsEnd ? '+' : '';
  const content = text.slice(0, contentEnd);
  const indentation = /^\n* [ \n]*/.test(content) ? '2' : '';
  const shown = end.endsWith('\n') ? end.slice(0, -1) : end;
  const tail = shown.replace(/\n(?!\n|$)/g, `\n${indent}`);
  return { start: `|${indentation}${chomp}\n${indent}`, content, end: tail };
}

function indented(content: string, indent: string): string {
  return content.replace(/\n(?!\n)/g, `\n${indent}`);
}

/** Length of a text without trailing spaces, tabs and line feeds. */
function lengthWithoutEnd(text: string): number {
  let length = text.length;
  while (length > 0 && isBlank(text.charCodeAt(length - 1))) length--;
  return length;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09;
}
