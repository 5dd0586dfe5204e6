import { figures } from '../cost/figures.ts';
import { types } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { ListValue, MapValue } from '../values/value.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global, method } from './overloads.ts';

const { int, string, bytes } = types;
const a = types.parameter('A');
const listOfA = types.list(a);
const mapOfAToB = types.map(a, types.parameter('B'));

/** `size(x)` and `x.size()`: the number of code points, bytes, elements or entries. */
export const size: FunctionDefinition = {
  name: 'size',
  overloads: [
    global('size_bytes', [bytes], int),
    method('bytes_size', [bytes], int),
    global('size_list', [listOfA], int),
    method('list_size', [listOfA], int),
    global('size_map', [mapOfAToB], int),
    method('map_size', [mapOfAToB], int),
    global('size_string', [string], int),
    method('string_size', [string], int),
  ],
  evaluate([value, ...more], frame) {
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
    // A view of a JSON object counts its members at each creation.
    frame.traverse(entries >>> 2);
    return BigInt(entries);
  },
  estimate: constantCost,
};
