import { traversalCost } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import { types } from '../types/type.ts';
import { bytesOfCodePoint } from '../values/code-points.ts';
import { constantCost, isText, traversalRange } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { string, bytes } = types;

/** `bytes(value)`; a string is encoded as UTF-8 and traversed completely. */
export const toBytes: FunctionDefinition = {
  name: 'bytes',
  overloads: [global('bytes_to_bytes', [bytes], bytes), global('string_to_bytes', [string], bytes)],
  evaluate([value, ...more], frame) {
    if (value === undefined || more.length > 0) return undefined;
    frame.charge(typeof value === 'string' ? traversalCost(value.length) : figures.call);
    if (value instanceof Uint8Array) return value;
    return typeof value === 'string' ? new TextEncoder().encode(value) : undefined;
  },
  estimate(operands) {
    const { type, size } = operands.first;
    if (!isText(type)) return constantCost(operands);
    return { cost: traversalRange(size), size: { min: size.min, max: size.max * bytesOfCodePoint } };
  },
  isFoldable: true,
};
