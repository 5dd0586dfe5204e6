import { figures } from '../cost/figures.ts';
import { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';
import type { LibraryFunction } from './function-definition.ts';

/** Creates the evaluation of a conversion with constant cost. */
export function converting(convert: (value: Value) => Value | undefined): LibraryFunction {
  return ([value, ...more], frame) => {
    if (value === undefined || more.length > 0) return undefined;
    frame.charge(figures.call);
    return convert(value);
  };
}

/** Returns the error for a text that cannot be converted to a type. */
export function cannotConvert(value: string, type: string): CelError {
  return new CelError(`cannot convert ${JSON.stringify(value.slice(0, 64))} to ${type}`);
}
