import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { TemplateError } from '../template-error.ts';
import { deepestNesting, sortedKeys } from './go-value.ts';

/** Characters that Go's encoder escapes and JavaScript's writes as they are, or shorter. */
const escapedByGo = /[<>&\u2028\u2029]|\\[bf]/g;

/** The JSON text of a value as Go's encoder writes it: keys in order, and signs that HTML knows escaped. Indented by a text, or in one line. */
export function goJsonText(value: JsonValue, indent = ''): string {
  return write(value, { indent, level: 0 });
}

interface Place {
  readonly indent: string;
  readonly level: number;
}

function write(value: JsonValue, place: Place): string {
  if (place.level > deepestNesting)
    throw new TemplateError(`a value is nested deeper than ${deepestNesting} levels`);
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = { ...place, level: place.level + 1 };
  if (Array.isArray(value))
    return enclosed(
      '[]',
      value.map(item => write(item, inner)),
      place,
    );
  return enclosed('{}', memberTexts(value, inner), place);
}

function memberTexts(value: JsonObject, place: Place): string[] {
  const colon = place.indent === '' ? ':' : ': ';
  return sortedKeys(value).map(key => `${quoted(key)}${colon}${write(value[key] ?? null, place)}`);
}

function enclosed([open, close]: string, parts: readonly string[], { indent, level }: Place): string {
  if (parts.length === 0) return `${open}${close}`;
  if (indent === '') return `${open}${parts.join(',')}${close}`;
  const separator = `\n${indent.repeat(level + 1)}`;
  return `${open}${separator}${parts.join(`,${separator}`)}\n${indent.repeat(level)}${close}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(escapedByGo, found => {
    if (found.startsWith('\\')) return found === '\\b' ? '\\u0008' : '\\u000c';
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
