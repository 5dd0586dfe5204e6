import { figures } from '../cost/figures.ts';
import { addRanges, exactly, multiplyRanges, type Range, scaleRange } from '../cost/size-range.ts';
import type { CelType } from '../types/type.ts';
import type { Estimate, Operands } from './function-definition.ts';

/** The estimate of a call that costs the same for all operands. */
export const constantCost: Estimate = () => ({ cost: exactly(figures.call) });

/** The estimate of a text made of the first operand, no longer than it. */
export const sameTextCost: Estimate = ({ first }) => ({ cost: traversalRange(first.size), size: first.size });

/** The estimate of going through all of the first operand: each element, and each code point or byte of an element. */
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
 * The length of the pattern and of the text, each in part: what is charged is more, so a rule that may be written can
 * still run out of its budget on a long text. An empty text counts as one code point.
 */
export function patternRange({ first, second }: Operands): Range {
  return multiplyRanges(
    traversalRange(addRanges(first.size, exactly(1))),
    scaleRange(second.size, figures.patternEstimate),
  );
}

/** The estimate of what a pattern finds in the first operand. */
export const foundTextCost: Estimate = operands => ({
  cost: patternRange(operands),
  size: { min: 0, max: operands.first.size.max },
});

/** The cost of going through that many code points or bytes. */
export function traversalRange(size: Range): Range {
  return scaleRange(size, figures.traversal);
}

/** Whether a type is that of texts. */
export function isText(type: CelType | undefined): boolean {
  return type?.kind === 'primitive' && type.name === 'string';
}

/** Whether a type is that of bytes. */
export function isBytes(type: CelType | undefined): boolean {
  return type?.kind === 'primitive' && type.name === 'bytes';
}
