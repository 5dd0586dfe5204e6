import { badRequest, type StatusError } from '@binnacle/status-errors';

/** One term of a field selector. */
interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A selector of objects by named fields. All requirements must hold. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** Whether fields satisfy the selector; an absent field has the empty value. */
  matches(fields: Readonly<Record<string, string>>): boolean;
  /** The canonical text, which parses to the same selector. */
  toString(): string;
}

const longestText = 65_536;

/** The field selector that every object satisfies. */
export const everyField: FieldSelector = { requirements: [], matches: () => true, toString: () => '' };

/** Creates a selector from requirements. */
export function createFieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  if (requirements.length === 0) return everyField;
  return {
    requirements,
    matches: fields => matchesAll(requirements, fields),
    toString: () => requirements.map(r => `${r.field}${r.operator}${escapeFieldValue(r.value)}`).join(','),
  };
}

/**
 * Parses selector text (`metadata.name=a,status.phase!=Running`); `==` equals `=`, and within a value a backslash escapes a
 * comma, an equals sign or a backslash. Throws BadRequest for invalid text, and beyond 64 KiB.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text.length > longestText) throw badRequest(`invalid selector: longer than ${longestText} characters`);
  const requirements = splitTerms(text)
    .filter(term => term !== '')
    .map(parseTerm);
  requirements.sort((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
  return createFieldSelector(requirements);
}

/** Escapes a value for selector text. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function matchesAll(
  requirements: readonly FieldRequirement[],
  fields: Readonly<Record<string, string>>,
): boolean {
  for (const { field, operator, value } of requirements) {
    const actual = Object.hasOwn(fields, field) ? fields[field] : '';
    if ((actual === value) !== (operator === '=')) return false;
  }
  return true;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string): FieldRequirement {
  for (let i = 0; i < term.length; i++) {
    if (term.startsWith('!=', i))
      return { field: term.slice(0, i), operator: '!=', value: unescapeValue(term, i + 2) };
    if (term.startsWith('==', i))
      return { field: term.slice(0, i), operator: '=', value: unescapeValue(term, i + 2) };
    if (term[i] === '=') return { field: term.slice(0, i), operator: '=', value: unescapeValue(term, i + 1) };
  }
  throw cannotRead(term);
}

function unescapeValue(term: string, start: number): string {
  let value = '';
  for (let i = start; i < term.length; i++) {
    let mark = term[i]!;
    if (mark === '\\') {
      mark = term[++i] ?? '';
      if (mark !== '\\' && mark !== ',' && mark !== '=') throw cannotRead(term);
    } else if (mark === '=' || mark === ',') {
      throw cannotRead(term);
    }
    value += mark;
  }
  return value;
}

function cannotRead(term: string): StatusError {
  return badRequest(`invalid selector: can't understand '${term.slice(0, 256)}'`);
}
