import type { GoValue } from '../values/go-value.ts';

const operators = ['==', '!=', '<', '<=', '>', '>='] as const;

/** An operator of a filter. */
export type ComparisonOperator = (typeof operators)[number];

/** Whether kubectl knows the operator of a filter; a regular expression (`=~`) it does not. */
export function isComparisonOperator(text: string): text is ComparisonOperator {
  return operators.some(operator => operator === text);
}

/** Compares two values as Go's templates do; gives why not where their types do not allow it. */
export function compareGoValues(operator: ComparisonOperator, a: GoValue, b: GoValue): boolean | string {
  if (!isBasic(a) || !isBasic(b)) return 'invalid type for comparison';
  if (typeof a !== typeof b) return 'incompatible types for comparison';
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (typeof a === 'boolean') return 'invalid type for comparison';
  switch (operator) {
    case '<':
      return isLess(a, b);
    case '<=':
      return !isLess(b, a);
    case '>':
      return isLess(b, a);
    case '>=':
      return !isLess(a, b);
  }
}

type Basic = boolean | bigint | number | string;

function isBasic(value: GoValue): value is Basic {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** Texts by their bytes, which is the order of their characters. */
function isLess(a: Basic, b: Basic): boolean {
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  return a < b;
}
