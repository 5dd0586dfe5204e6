import { figures } from '../cost/figures.ts';
import { addRanges, exactly, multiplyRanges, type Range, scaleRange } from '../cost/size-range.ts';
import type { CelType } from '../types/type.ts';
import type { Estimate, Operands } from './function-definition.ts';

/** Estimate of a call with constant cost. */
export const constantCost: Estimate = () => ({ cost: exactly(figures.call) });

/** Estimate of a call that traverses its first operand and returns a text of the same size. */
export const sameTextCost: Estimate = ({ first }) => ({ cost: traversalRange(first.size), size: first.size });

/** Estimate of traversing the whole first operand: each element, and each code point or byte of an element. */
export const wholeListCost: Estimate = ({ first }) => {
  if (first.type?.kind !== 'list') return { cost: traversalRange(first.size) };
  const { element } = first.type;
  const each =
    isText(element) || isBytes(element)
      ? addRanges(exactly(1), traversalRange(first.elementSize))
      : exactly(1);
  return { cost: multiplyRanges(first.size, each) };
};

/**
 * Returns the cost range of a pattern match, from fractions of the lengths of pattern and text. The charged cost is higher, so a
 * rule that passes the estimate can still exceed its budget for a long text. An empty text counts as one code point.
 */
export function patternRange({ first, second }: Operands): Range {
  return multiplyRanges(
    traversalRange(addRanges(first.size, exactly(1))),
    scaleRange(second.size, figures.patternEstimate),
  );
}

/** Estimate of a call that returns text matched by a pattern in the first operand. */
export const foundTextCost: Estimate = operands => ({
  cost: patternRange(operands),
  size: { min: 0, max: operands.first.size.max },
});

/** Returns the cost range of traversing a size range of code points or bytes. */
export function traversalRange(size: Range): Range {
  return scaleRange(size, figures.traversal);
}

/** Whether a type is string. */
export function isText(type: CelType | undefined): boolean {
  return type?.kind === 'primitive' && type.name === 'string';
}

/** Whether a type is bytes. */
export function isBytes(type: CelType | undefined): boolean {
  return type?.kind === 'primitive' && type.name === 'bytes';
}
