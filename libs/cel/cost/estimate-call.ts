import type { Expression } from '../syntax/expression.ts';
import type { CelType } from '../types/type.ts';
import { sizeOfReplaced } from './estimate-replace.ts';
import { figures } from './figures.ts';
import {
  addRanges,
  anySize,
  eitherRange,
  exactly,
  multiplyRanges,
  type Range,
  scaleRange,
} from './size-range.ts';

/** An operand of a call: the expression with what is known of it. */
export interface Operand {
  readonly expression: Expression;
  readonly type: CelType | undefined;
  readonly size: Range;
  /** Of a list: the size of each element. */
  readonly elementSize: Range;
}

/** What a call costs besides its operands, and the size of its result where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

const one: CallEstimate = { cost: exactly(figures.call) };

/** Estimates a call of a function, whose target, if any, is the first operand. */
export function estimateCall(name: string, operands: readonly Operand[]): CallEstimate {
  const [first, second] = operands;
  if (first === undefined) return one;
  return estimates[name]?.({ first, second, third: operands[2], name }) ?? one;
}

interface Call {
  readonly name: string;
  readonly first: Operand;
  readonly second: Operand | undefined;
  readonly third: Operand | undefined;
}

type Estimate = (call: Call) => CallEstimate | undefined;

const estimates: Readonly<Record<string, Estimate>> = {
  '_+_': addition,
  '_==_': comparison,
  '_!=_': comparison,
  '_<_': comparison,
  '_<=_': comparison,
  '_>_': comparison,
  '_>=_': comparison,
  '@in': containment,
  startsWith: ({ second }) => traversing(second),
  endsWith: ({ second }) => traversing(second),
  contains: ({ first, second }) =>
    second && { cost: multiplyRanges(traversalOf(first.size), traversalOf(second.size)) },
  matches: regex,
  find: regex,
  findAll: regex,
  string: textOf,
  bytes: bytesOf,
  sum: wholeList,
  min: wholeList,
  max: wholeList,
  isSorted: wholeList,
  indexOf: wholeList,
  lastIndexOf: wholeList,
  url: ({ first }) => traversing(first),
  lowerAscii: sameText,
  upperAscii: sameText,
  substring: sameText,
  trim: sameText,
  charAt: () => ({ ...one, size: { min: 0, max: 1 } }),
  replace: replacing,
  split: splitting,
  join: joining,
};

function traversalOf(size: Range): Range {
  return scaleRange(size, figures.traversal);
}

function traversing(operand: Operand | undefined): CallEstimate | undefined {
  return operand && { cost: traversalOf(operand.size) };
}

function sameText({ first }: Call): CallEstimate {
  return sizedTraversal(first);
}

function sizedTraversal(first: Operand): CallEstimate {
  return { cost: traversalOf(first.size), size: first.size };
}

/** Texts and bytes are copied; lists only if they are sets or have keys. */
function addition({ first, second }: Call): CallEstimate | undefined {
  if (second === undefined || !isSized(first.type)) return undefined;
  const size = addRanges(first.size, second.size);
  const traversal = traversalOf(size);
  if (first.type?.kind !== 'list') {
    const least = first.type?.kind === 'dyn' ? Math.min(1, traversal.min) : traversal.min;
    return { cost: { min: least, max: Math.max(1, traversal.max) }, size };
  }
  if (first.type.listType === undefined) return { cost: exactly(figures.call), size };
  return {
    cost: { min: figures.call, max: figures.call + traversal.max },
    size: { min: first.size.min, max: size.max },
  };
}

/** What is empty has nothing to compare. */
function comparison({ first, second }: Call): CallEstimate {
  const smaller = Math.min(first.size.max, second?.size.max ?? 0);
  return { cost: { min: 0, max: smaller === 0 ? 0 : figures.comparison } };
}

function containment({ second }: Call): CallEstimate | undefined {
  if (second === undefined || second.type?.kind === 'map') return undefined;
  if (second.type?.kind === 'list') return { cost: second.size };
  return { cost: eitherRange(exactly(figures.call), second.size) };
}

/**
 * The length of the pattern and of the text, each in part: what is charged is more, so a rule that may be written can
 * still run out of its budget on a long text. An empty text counts as one code point.
 */
function regex({ first, second, name }: Call): CallEstimate | undefined {
  if (second === undefined) return undefined;
  const cost = multiplyRanges(
    traversalOf(addRanges(first.size, exactly(1))),
    scaleRange(second.size, figures.patternEstimate),
  );
  return name === 'matches' ? { cost } : { cost, size: { min: 0, max: first.size.max } };
}

/** Bytes that a code point may take. */
const bytesOfCodePoint = 4;

/** What is no text has a short one. */
const shortText: Range = { min: 1, max: 40 };

function textOf({ first }: Call): CallEstimate {
  const { size } = first;
  if (isPrimitive(first.type, 'bytes'))
    return {
      cost: traversalOf(size),
      size: { min: Math.floor(size.min / bytesOfCodePoint), max: size.max },
    };
  if (isPrimitive(first.type, 'string')) return { ...one, size };
  if (first.type?.kind === 'primitive') return { ...one, size: shortText };
  return { cost: eitherRange(exactly(figures.call), traversalOf(first.size)), size: anySize };
}

function bytesOf({ first }: Call): CallEstimate {
  if (!isPrimitive(first.type, 'string')) return one;
  const { min, max } = first.size;
  return { cost: traversalOf(first.size), size: { min, max: max * bytesOfCodePoint } };
}

/** Each element, and each code point or byte of an element. */
function wholeList({ first }: Call): CallEstimate {
  if (first.type?.kind !== 'list') return { cost: traversalOf(first.size) };
  const { element } = first.type;
  const isText = isPrimitive(element, 'string') || isPrimitive(element, 'bytes');
  const each = isText ? addRanges(exactly(1), traversalOf(first.elementSize)) : exactly(1);
  return { cost: multiplyRanges(first.size, each) };
}

function replacing({ first, second, third }: Call): CallEstimate | undefined {
  if (second === undefined || third === undefined) return undefined;
  return {
    cost: scaleRange(first.size, 2 * figures.traversal),
    size: sizeOfReplaced(first.size, second.size, third.size),
  };
}

function splitting({ first, third }: Call): CallEstimate {
  const limit = third?.expression.kind === 'constant' ? third.expression.value : undefined;
  const most = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : first.size.max;
  return { cost: scaleRange(first.size, 2 * figures.traversal), size: { min: 0, max: most } };
}

function joining({ first, second }: Call): CallEstimate {
  const between: Range = { min: Math.max(0, first.size.min - 1), max: Math.max(0, first.size.max - 1) };
  const separators = multiplyRanges(between, second?.size ?? exactly(0));
  const size = addRanges(multiplyRanges(first.size, first.elementSize), separators);
  return { cost: traversalOf(size), size };
}

function isSized(type: CelType | undefined): boolean {
  return (
    type?.kind === 'list' || type?.kind === 'dyn' || isPrimitive(type, 'string') || isPrimitive(type, 'bytes')
  );
}

function isPrimitive(type: CelType | undefined, name: string): boolean {
  return type?.kind === 'primitive' && type.name === name;
}
