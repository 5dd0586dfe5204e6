import type { Range } from '../cost/size-range.ts';

/** The size of a text in which parts may be replaced; an empty part is found before each code point and at the end. */
export function sizeOfReplaced(target: Range, part: Range, replacement: Range): Range {
  return {
    min: leastReplaced(target.min, part, replacement.min),
    max: mostReplaced(target.max, part, replacement.max),
  };
}

function mostReplaced(size: number, part: Range, replacement: number): number {
  const grown = size + times(part.min === 0 ? size + 1 : 0, replacement);
  const shortest = Math.max(part.min, 1);
  if (part.max < 1 || replacement <= shortest) return grown;
  return Math.max(grown, size + times(Math.floor(size / shortest), replacement - shortest));
}

function leastReplaced(size: number, part: Range, replacement: number): number {
  if (part.max === 0) return size + times(size + 1, replacement);
  const shrunk = [Math.max(part.min, 1), part.max].map(length =>
    length > replacement && Number.isFinite(length)
      ? size - Math.floor(size / length) * (length - replacement)
      : size,
  );
  return Math.min(size, ...shrunk, ...(part.max > size && size > 0 ? [replacement] : []));
}

function times(left: number, right: number): number {
  return left === 0 || right === 0 ? 0 : left * right;
}
