import { TemplateError } from '../template-error.ts';
import { formatGoValue, type GoValue, goTypeName } from '../values/go-value.ts';

type Basic = boolean | bigint | number | string;

/** Whether a value equals one of others, as Go's `eq` says. Throws a TemplateError for types that cannot be compared. */
export function equalGoValues(value: GoValue, others: readonly GoValue[]): boolean {
  if (others.length === 0) throw new TemplateError('missing argument for comparison');
  return others.some(other => {
    if (isMissing(value) || isMissing(other)) return isMissing(value) && isMissing(other);
    if (typeof value !== typeof other) throw incompatible(value, other);
    if (!isBasic(value))
      throw new TemplateError(`non-comparable type ${formatGoValue(value)}: ${goTypeName(value)}`);
    return value === other;
  });
}

/** Whether a value is less than another, as Go's `lt` says. Throws a TemplateError for types that have no order. */
export function isLessGoValue(a: GoValue, b: GoValue): boolean {
  if (!isBasic(a) || !isBasic(b)) throw new TemplateError('invalid type for comparison');
  if (typeof a !== typeof b) throw incompatible(a, b);
  if (typeof a === 'boolean') throw new TemplateError('invalid type for comparison');
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  return a < b;
}

function isMissing(value: GoValue): value is undefined | null {
  return value === undefined || value === null;
}

function isBasic(value: GoValue): value is Basic {
  return !isMissing(value) && typeof value !== 'object';
}

function incompatible(a: GoValue, b: GoValue): TemplateError {
  return new TemplateError(`incompatible types for comparison: ${goTypeName(a)} and ${goTypeName(b)}`);
}
