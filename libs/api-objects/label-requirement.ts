import { type FieldError, invalidField, notSupportedField } from './field-error.ts';
import { fieldPath } from './field-path.ts';
import { validateLabelValue, validateQualifiedName } from './names.ts';

/** Operators of a requirement: set membership, equality, presence, integer order. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

const operators: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'exists', '!', 'gt', 'lt'];

/** One compiled requirement of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without duplicates; empty for `exists` and `!`. */
  readonly values: readonly string[];
  /** Whether labels satisfy the requirement. */
  matches(labels: Labels): boolean;
}

/** Creates a requirement from valid parts; validate other parts with `validateLabelRequirement` first. */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const sorted = [...new Set(values)].sort();
  return { key, operator, values: sorted, matches: compileRequirement(key, operator, sorted) };
}

/** Validates the parts of a requirement: key, operator, number and format of values. */
export function validateLabelRequirement(
  key: string,
  operator: string,
  values: readonly string[],
): FieldError[] {
  const errors = validateQualifiedName(key).map(m => invalidField('key', key, m));
  if (!operators.includes(operator as LabelOperator)) {
    return [...errors, notSupportedField('operator', operator, operators)];
  }
  const path = fieldPath('values');
  errors.push(...countErrors(operator as LabelOperator, values));
  if (operator === 'gt' || operator === 'lt') {
    const wrong = values.findIndex(value => parseInteger(value) === undefined);
    if (wrong >= 0)
      errors.push(
        invalidField(path.index(wrong), values[wrong], `for '${operator}' the value must be an integer`),
      );
  }
  values.forEach((value, i) => {
    errors.push(...validateLabelValue(value).map(m => invalidField(path.index(i).key(key), value, m)));
  });
  return errors;
}

/** Formats a requirement as selector text. */
export function labelRequirementText(requirement: LabelRequirement): string {
  const { key, operator, values } = requirement;
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values[0]}`;
    case 'lt':
      return `${key}<${values[0]}`;
    default:
      return `${key}${operator}${values[0] ?? ''}`;
  }
}

function countErrors(operator: LabelOperator, values: readonly string[]): FieldError[] {
  const count = values.length;
  switch (operator) {
    case 'in':
    case 'notin':
      return count > 0
        ? []
        : [invalidField('values', values, `for '${operator}' there must be at least one value`)];
    case 'exists':
    case '!':
      return count === 0 ? [] : [invalidField('values', values, 'a term about presence takes no values')];
    default:
      return count === 1
        ? []
        : [invalidField('values', values, `for '${operator}' there must be exactly one value`)];
  }
}

// An absent key such as `constructor` is found on the prototype: only strings count as present.
function compileRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): (labels: Labels) => boolean {
  const only = values.length === 1 ? values[0] : undefined;
  const set = new Set(values);
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      if (only !== undefined) return labels => labels[key] === only;
      return labels => typeof labels[key] === 'string' && set.has(labels[key]);
    case 'notin':
    case '!=':
      if (only !== undefined) return labels => labels[key] !== only;
      return labels => typeof labels[key] !== 'string' || !set.has(labels[key]);
    case 'exists':
      return labels => typeof labels[key] === 'string';
    case '!':
      return labels => typeof labels[key] !== 'string';
    case 'gt':
      return compileComparison(key, only, (value, bound) => value > bound);
    case 'lt':
      return compileComparison(key, only, (value, bound) => value < bound);
  }
}

function compileComparison(
  key: string,
  text: string | undefined,
  holds: (value: bigint, bound: bigint) => boolean,
): (labels: Labels) => boolean {
  const bound = text === undefined ? undefined : parseInteger(text);
  if (bound === undefined) return () => false;
  return labels => {
    const label = labels[key];
    const value = typeof label === 'string' ? parseInteger(label) : undefined;
    return value !== undefined && holds(value, bound);
  };
}

function parseInteger(text: string): bigint | undefined {
  if (text.length > 63 || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
