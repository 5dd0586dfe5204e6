import { traversalCost } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import { type Range, scaleRange } from '../cost/size-range.ts';
import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength, maxTextLength } from '../values/code-points.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

const { string, int } = types;

/** `text.replace(part, replacement, limit)`; without a limit or with a negative one, all parts are replaced. */
export const replace: FunctionDefinition = {
  name: 'replace',
  overloads: [
    method('string_replace_string_string', [string, string, string], string),
    method('string_replace_string_string_int', [string, string, string, int], string),
  ],
  evaluate([text, part, replacement, limit, ...more], frame) {
    if (typeof text !== 'string' || typeof part !== 'string' || typeof replacement !== 'string')
      return undefined;
    if (more.length > 0 || (limit !== undefined && typeof limit !== 'bigint')) return undefined;
    frame.charge(traversalCost(2 * codePointLength(text)));
    const places = findPlaces(text, part, limit ?? -1n);
    const length = text.length + places.length * (replacement.length - part.length);
    if (length > maxTextLength) return new CelError('the text is too long');
    frame.traverse(length >>> 4);
    let result = '';
    let from = 0;
    for (const place of places) {
      result += text.slice(from, place) + replacement;
      from = place + part.length;
    }
    return result + text.slice(from);
  },
  estimate: ({ first, second, third }) => ({
    cost: scaleRange(first.size, 2 * figures.traversal),
    size: sizeOfReplaced(first.size, second.size, third.size),
  }),
};

/** Returns the start positions of a part in code units; an empty part occurs before each code point and at the end. */
function findPlaces(text: string, part: string, limit: bigint): number[] {
  const places: number[] = [];
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  let from = 0;
  while (places.length < most && from <= text.length) {
    const place = part === '' ? from : text.indexOf(part, from);
    if (place < 0) break;
    places.push(place);
    from = part === '' ? place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1) : place + part.length;
  }
  return places;
}

/** Returns the size range of a text after replacement; an empty part occurs before each code point and at the end. */
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
