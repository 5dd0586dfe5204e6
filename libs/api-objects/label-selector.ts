import { badRequest } from '@binnacle/status-errors';
import {
  type FieldError,
  fieldErrorMessage,
  forbiddenField,
  invalidField,
  requiredField,
} from './field-error.ts';
import { type FieldPath, fieldPath } from './field-path.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
  labelRequirementText,
  validateLabelRequirement,
} from './label-requirement.ts';
import { parseLabelTerms } from './label-selector-parser.ts';
import { validateLabelValue, validateQualifiedName } from './names.ts';

const noLabels: Labels = Object.freeze({});
const longestText = 65_536;
const operatorOfWord: ReadonlyMap<unknown, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** A compiled label selector. All requirements must hold; without requirements it matches everything. */
export interface LabelSelector {
  /** The requirements, sorted by key; an index can serve equality requirements. */
  readonly requirements: readonly LabelRequirement[];
  /** Whether labels satisfy the selector; undefined means no labels. */
  matches(labels: Labels | undefined): boolean;
  /** The canonical text, which parses to the same selector. */
  toString(): string;
}

/** The label selector that every object satisfies. */
export const everything: LabelSelector = { requirements: [], matches: () => true, toString: () => '' };

/** The label selector that no object satisfies. */
export const nothing: LabelSelector = { requirements: [], matches: () => false, toString: () => '<nothing>' };

/** Creates a selector from requirements, sorted by key. */
export function createLabelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everything;
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const [first] = sorted;
  return {
    requirements: sorted,
    matches:
      sorted.length === 1 && first !== undefined
        ? labels => first.matches(labels ?? noLabels)
        : labels => matchesAll(sorted, labels ?? noLabels),
    toString: () => sorted.map(labelRequirementText).join(','),
  };
}

/** Parses selector text (`a=b,c in (d,e),!f`); throws BadRequest for invalid text, and beyond 64 KiB. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.length > longestText)
    throw badRequest(`unable to parse requirement: the selector is longer than ${longestText} characters`);
  const requirements = parseLabelTerms(text).map(term =>
    checkedRequirement(term.key, term.operator, term.values),
  );
  return createLabelSelector(requirements);
}

/**
 * Compiles the structured form ({matchLabels, matchExpressions}). Null and undefined match nothing, an empty object matches
 * everything. Throws BadRequest for a malformed part.
 */
export function labelSelectorFrom(selector: JsonValue | undefined): LabelSelector {
  if (selector === null || selector === undefined) return nothing;
  const errors = validateLabelSelector(selector, fieldPath('selector'));
  const [first] = errors;
  if (first !== undefined) throw badRequest(`${first.field}: ${fieldErrorMessage(first)}`);
  const { matchLabels, matchExpressions } = selector as StructuredSelector; // Validated above.
  const labels = Object.entries(matchLabels ?? {}).map(([key, value]) => labelRequirement(key, '=', [value]));
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) =>
    labelRequirement(key, operatorOfWord.get(operator)!, values ?? []),
  );
  return createLabelSelector([...labels, ...expressions]);
}

/** Validates the structured form of a label selector field by field. */
export function validateLabelSelector(selector: JsonValue, path: FieldPath): FieldError[] {
  if (!isJsonObject(selector)) return [invalidField(path, selector, 'must be an object')];
  const { matchLabels = null, matchExpressions = null } = selector;
  const errors: FieldError[] = [];
  if (matchLabels !== null) errors.push(...validateMatchLabels(matchLabels, path.child('matchLabels')));
  if (Array.isArray(matchExpressions)) {
    matchExpressions.forEach((expression, i) => {
      errors.push(...validateExpression(expression, path.child('matchExpressions').index(i)));
    });
  } else if (matchExpressions !== null) {
    errors.push(invalidField(path.child('matchExpressions'), matchExpressions, 'must be a list'));
  }
  return errors;
}

interface StructuredSelector {
  readonly matchLabels?: Record<string, string> | null;
  readonly matchExpressions?: { key: string; operator: string; values?: string[] | null }[] | null;
}

function matchesAll(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  for (const requirement of requirements) if (!requirement.matches(labels)) return false;
  return true;
}

function checkedRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const [error] = validateLabelRequirement(key, operator, values);
  if (error !== undefined)
    throw badRequest(`unable to parse requirement: ${error.field}: ${fieldErrorMessage(error)}`);
  return labelRequirement(key, operator, values);
}

function validateMatchLabels(labels: JsonValue, path: FieldPath): FieldError[] {
  if (!isJsonObject(labels)) return [invalidField(path, labels, 'must be an object')];
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    if (typeof value === 'string') {
      for (const message of validateQualifiedName(key)) errors.push(invalidField(path, key, message));
      for (const message of validateLabelValue(value)) errors.push(invalidField(path, value, message));
    } else errors.push(invalidField(path.key(key), value, 'must be a string'));
  }
  return errors;
}

function validateExpression(expression: JsonValue, path: FieldPath): FieldError[] {
  if (!isJsonObject(expression)) return [invalidField(path, expression, 'must be an object')];
  const { key = '', operator = '' } = expression;
  const values = expression['values'] ?? [];
  if (typeof key !== 'string') return [invalidField(path.child('key'), key, 'must be a string')];
  if (!Array.isArray(values)) return [invalidField(path.child('values'), values, 'must be a list')];
  const errors: FieldError[] = [];
  const known = operatorOfWord.get(operator);
  if (known === undefined)
    errors.push(invalidField(path.child('operator'), operator, 'is not a selector operator'));
  else if (known === 'in' || known === 'notin') {
    if (values.length === 0)
      errors.push(requiredField(path.child('values'), `must be set when operator is ${operator}`));
  } else if (values.length > 0) {
    errors.push(forbiddenField(path.child('values'), `may not be set when operator is ${operator}`));
  }
  errors.push(...validateQualifiedName(key).map(m => invalidField(path.child('key'), key, m)));
  values.forEach((value, i) => {
    const messages = typeof value === 'string' ? validateLabelValue(value) : ['must be a string'];
    errors.push(...messages.map(m => invalidField(path.child('values').index(i), value, m)));
  });
  return errors;
}
