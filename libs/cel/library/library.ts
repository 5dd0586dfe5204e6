import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import { codePointLength } from '../values/code-points.ts';
import { ListValue } from '../values/list-value.ts';
import { MapValue } from '../values/map-value.ts';
import type { Value } from '../values/value.ts';
import { conversions } from './conversions.ts';
import { indexOfFunctions } from './index-of.ts';
import type { FunctionLibrary, LibraryFunction } from './library-function.ts';
import { lists, zeroOf } from './lists.ts';
import { regexes } from './regexes.ts';
import { texts } from './texts.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';

const library: ReadonlyMap<string, LibraryFunction> = new Map(
  Object.entries({
    ...conversions,
    ...texts,
    ...indexOfFunctions,
    ...times,
    ...lists,
    ...regexes,
    ...urls,
    size,
  } satisfies FunctionLibrary),
);

/**
 * The function of that name, undefined for none; a method takes its target first. Functions tell their overloads apart by
 * the values that they get, so `overload`, of a checked call that can only mean one, matters where there are none.
 */
export function libraryFunction(name: string, overload: string | undefined): LibraryFunction | undefined {
  const found = library.get(name);
  if (name !== 'sum' || found === undefined) return found;
  const zero = zeroOf(overload);
  return (args, frame) =>
    args[0] instanceof ListValue && args[0].size === 0 && args.length === 1 ? zero : found(args, frame);
}

function size([value, ...more]: readonly Value[], frame: Frame): Value | undefined {
  frame.charge(figures.call);
  if (more.length > 0) return undefined;
  if (typeof value === 'string') {
    frame.traverse(value.length >>> 4);
    return BigInt(codePointLength(value));
  }
  if (value instanceof Uint8Array) return BigInt(value.length);
  if (value instanceof ListValue) return BigInt(value.size);
  if (!(value instanceof MapValue)) return undefined;
  const { size: entries } = value;
  // A view of JSON counts its members each time that it is made.
  frame.traverse(entries >>> 2);
  return BigInt(entries);
}
