/** The text of an expression, with access to lines and code points. */
export interface SourceText {
  readonly text: string;
  /** Length in code points. */
  readonly size: number;
  /** Converts an index of `text` to an offset in code points. */
  offsetOf(index: number): number;
  /** Returns the line and column of an offset in code points. */
  findPlace(offset: number): SourcePlace;
}

/** A position in a text for messages. */
interface SourcePlace {
  /** Line number, from 1. */
  readonly line: number;
  /** Column in code points, from 1. */
  readonly column: number;
  /** Text of the line. */
  readonly lineText: string;
}

/** Indexes a text for its positions. */
export function createSourceText(text: string): SourceText {
  // Indexes of code points with two code units; usually there are none, and offsets equal indexes.
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
