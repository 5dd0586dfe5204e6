/** The text of an expression, and where lines and code points are in it. */
export interface SourceText {
  readonly text: string;
  /** In code points. */
  readonly size: number;
  /** The offset in code points of an index into `text`. */
  offsetOf(index: number): number;
  /** The place of an offset in code points. */
  findPlace(offset: number): SourcePlace;
}

/** A place in a text, as people are told of it. */
interface SourcePlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** The line itself. */
  readonly lineText: string;
}

/** Reads a text once for its places. */
export function createSourceText(text: string): SourceText {
  // Indexes at which a code point of two units begins: usually there is none, and offsets are indexes.
  const pairs: number[] = [];
  for (const match of text.matchAll(/[\u{10000}-\u{10ffff}]/gu)) pairs.push(match.index);
  return {
    text,
    size: text.length - pairs.length,
    offsetOf: index => index - countBelow(pairs, index),
    findPlace: offset => findPlace(text, offset),
  };
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function findPlace(text: string, offset: number): SourcePlace {
  let rest = offset;
  const lines = text.split('\n');
  for (const [index, lineText] of lines.entries()) {
    const size = [...lineText].length;
    if (rest <= size || index === lines.length - 1)
      return { line: index + 1, column: Math.min(rest, size) + 1, lineText };
    rest -= size + 1;
  }
  return { line: 1, column: 1, lineText: '' };
}
