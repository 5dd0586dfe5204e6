import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { sortedEntries } from './sorted-entries.ts';

/** Fields that stand in the first lines of a description. */
const shownBefore = new Set([
  '.metadata.name',
  '.metadata.namespace',
  '.metadata.labels',
  '.metadata.annotations',
]);

/** All fields of an object below each other, in the order of their names, two spaces deeper with each level; headings are made of the names. */
export function describeContent(content: JsonObject): string {
  return contentLines(content, { path: '', indent: '' });
}

interface Position {
  readonly path: string;
  readonly indent: string;
}

function contentLines(content: JsonObject, { path, indent }: Position): string {
  return sortedEntries(content)
    .map(([field, value]) => {
      const below = { path: `${path}.${field}`, indent: `${indent}  ` };
      if (shownBefore.has(below.path)) return '';
      const heading = `${indent}${headingFrom(field)}:`;
      if (isJsonObject(value)) return `${heading}\n${contentLines(value, below)}`;
      if (!Array.isArray(value)) return `${heading}\t${plainText(value)}\n`;
      const items = value.map(item =>
        isJsonObject(item) ? contentLines(item, below) : `${below.indent}${plainText(item)}\n`,
      );
      return `${heading}\n${items.join('')}`;
    })
    .join('');
}

const acronyms = new Set(['API', 'URL', 'UID', 'OSB', 'GUID']);

/** `observedGeneration` → `Observed Generation`, `apiVersion` → `API Version`; a name with other characters than letters and `-` stays as it is. */
export function headingFrom(field: string): string {
  if (!/^[\p{L}-]+$/u.test(field)) return field;
  // An upper-case letter before a lower-case one begins a word.
  const words = field.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}]+/gu) ?? [];
  return words
    .map(word =>
      acronyms.has(word.toUpperCase())
        ? word.toUpperCase()
        : word.replace(/^./u, first => first.toUpperCase()),
    )
    .join(' ');
}

/** A value on one line as kubectl writes it: `[a b]` for a list, `map[a:1]` for an object, `<nil>` for null. */
export function plainText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(plainText).join(' ')}]`;
  if (isJsonObject(value))
    return `map[${sortedEntries(value)
      .map(([name, member]) => `${name}:${plainText(member)}`)
      .join(' ')}]`;
  return String(value);
}
