import { sizeOf, traversalOf } from '../cost/call-costs.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength, unitOffset } from '../values/code-points.ts';
import { ListValue } from '../values/list-value.ts';
import type { Value } from '../values/value.ts';
import { type FunctionLibrary, type LibraryFunction, maxTextLength } from './library-function.ts';

/** The functions of texts that need nothing but the text; positions count code points. */
export const texts: FunctionLibrary = {
  contains: comparing(
    (text, part) => text.includes(part),
    (text, part) => traversalOf(codePointLength(text)) * traversalOf(codePointLength(part)),
  ),
  startsWith: comparing((text, part) => text.startsWith(part), traversalOfText),
  endsWith: comparing((text, part) => text.endsWith(part), traversalOfText),
  lowerAscii: mapping(text => text.replace(/[A-Z]+/g, part => part.toLowerCase())),
  upperAscii: mapping(text => text.replace(/[a-z]+/g, part => part.toUpperCase())),
  trim: mapping(trim),
  charAt,
  substring,
  replace,
  split,
  join,
};

function traversalOfText(text: string): number {
  return traversalOf(codePointLength(text));
}

function comparing(
  compare: (text: string, part: string) => boolean,
  cost: (text: string, part: string) => number,
): LibraryFunction {
  return (args, frame) => {
    const text = args[0];
    const part = args[1];
    if (typeof text !== 'string' || typeof part !== 'string' || args.length > 2) return undefined;
    frame.charge(cost(text, part));
    return compare(text, part);
  };
}

function mapping(map: (text: string) => string): LibraryFunction {
  return ([text, ...more], frame) => {
    if (typeof text !== 'string' || more.length > 0) return undefined;
    frame.charge(traversalOf(codePointLength(text)));
    return map(text);
  };
}

const space = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** By hand: an expression for the end of a text looks from every space to the next other character. */
function trim(text: string): string {
  let first = 0;
  let end = text.length;
  while (first < end && space.test(text.charAt(first))) first++;
  while (end > first && space.test(text.charAt(end - 1))) end--;
  return text.slice(first, end);
}

function charAt([text, index, ...more]: readonly Value[], frame: Frame): Value | undefined {
  if (typeof text !== 'string' || typeof index !== 'bigint' || more.length > 0) return undefined;
  frame.charge(1);
  frame.traverse(text.length >>> 4);
  const size = codePointLength(text);
  if (index < 0n || index > BigInt(size)) return outOfRange(index);
  const unit = unitOffset(text, Number(index));
  return unit < text.length ? String.fromCodePoint(text.codePointAt(unit) ?? 0) : '';
}

function substring([text, start, end, ...more]: readonly Value[], frame: Frame): Value | undefined {
  if (typeof text !== 'string' || typeof start !== 'bigint' || more.length > 0) return undefined;
  if (end !== undefined && typeof end !== 'bigint') return undefined;
  const size = codePointLength(text);
  frame.charge(traversalOf(size));
  const last = end ?? BigInt(size);
  if (start < 0n || start > BigInt(size)) return outOfRange(start);
  if (last < 0n || last > BigInt(size)) return outOfRange(last);
  if (start > last) return new CelError(`invalid substring range: ${start} to ${last}`);
  return text.slice(unitOffset(text, Number(start)), unitOffset(text, Number(last)));
}

function replace([text, old, made, limit, ...more]: readonly Value[], frame: Frame): Value | undefined {
  if (typeof text !== 'string' || typeof old !== 'string' || typeof made !== 'string') return undefined;
  if (more.length > 0 || (limit !== undefined && typeof limit !== 'bigint')) return undefined;
  frame.charge(traversalOf(2 * codePointLength(text)));
  const places = placesOf(text, old, limit ?? -1n);
  const length = text.length + places.length * (made.length - old.length);
  if (length > maxTextLength) return new CelError('the text is too long');
  frame.traverse(length >>> 4);
  let result = '';
  let from = 0;
  for (const place of places) {
    result += text.slice(from, place) + made;
    from = place + old.length;
  }
  return result + text.slice(from);
}

/** Where a part begins, in units; an empty part is before each code point and at the end. */
function placesOf(text: string, part: string, limit: bigint): number[] {
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

function split([text, separator, limit = -1n, ...more]: readonly Value[], frame: Frame): Value | undefined {
  if (typeof text !== 'string' || typeof separator !== 'string' || more.length > 0) return undefined;
  if (typeof limit !== 'bigint') return undefined;
  frame.charge(traversalOf(2 * codePointLength(text)));
  if (limit === 0n) return ListValue.of([]);
  if (limit === 1n) return ListValue.of([text]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return ListValue.of(parts);
  const kept = Number(limit) - 1;
  return ListValue.of([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function join([list, separator = '', ...more]: readonly Value[], frame: Frame): Value | undefined {
  if (!(list instanceof ListValue) || typeof separator !== 'string' || more.length > 0) return undefined;
  frame.traverse(list.size);
  const parts: string[] = [];
  let length = 0;
  let units = 0;
  const between = codePointLength(separator);
  for (let index = 0; index < list.size; index++) {
    const part = list.get(index);
    if (part instanceof CelError) return part;
    if (typeof part !== 'string') return undefined;
    parts.push(part);
    length += sizeOf(part) + (index > 0 ? between : 0);
    units += part.length + separator.length;
    frame.traverse(part.length >>> 4);
  }
  frame.charge(traversalOf(2 * length));
  return units > maxTextLength ? new CelError('the text is too long') : parts.join(separator);
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}
