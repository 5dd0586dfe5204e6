import type { Frame } from '../frame/frame.ts';
import type { CallExpression } from '../syntax/expression.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { equalValues } from '../values/equality.ts';
import { setKey } from '../values/list-identity.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';
import { CompilationError, type Context, type Step } from './compilation.ts';
import { constantValue } from './constant-value.ts';

/**
 * Compiles `in`: `element in list` costs the size of the list, `key in map` a call; a list of constants becomes a set, whose
 * lookup costs nothing.
 */
export function compileContainment(call: CallExpression, context: Context): Step {
  const [first, second] = call.arguments;
  if (first === undefined || second === undefined) throw new CompilationError('in takes two operands', call);
  const element = context.compile(first);
  const constant = context.compilation.folds ? constantValue(second) : undefined;
  if (constant instanceof ListValue) return inConstants(element, constant);
  const container = context.compile(second);
  return frame => {
    const wanted = element(frame);
    const within = container(frame);
    if (wanted instanceof CelError || within instanceof CelError) {
      frame.charge(1);
      return wanted instanceof CelError ? wanted : within;
    }
    return contains(within, wanted, frame);
  };
}

function inConstants(element: Step, list: ListValue): Step {
  const keys = new Set<string>();
  let longest = 0;
  for (let index = 0; index < list.size; index++) {
    const key = setKey(list.get(index));
    keys.add(key);
    longest = Math.max(longest, key.length);
  }
  return frame => {
    const wanted = element(frame);
    if (wanted instanceof CelError) return wanted;
    if (typeof wanted === 'string') return wanted.length < longest && keys.has(setKey(wanted));
    if (typeof wanted === 'object' && wanted !== null) return isAmong(list, wanted, frame);
    // NaN is not even equal to itself.
    return !Number.isNaN(wanted) && keys.has(setKey(wanted));
  };
}

function contains(within: Value, wanted: Value, frame: Frame): Value {
  if (within instanceof MapValue) {
    frame.charge(1);
    return within.get(wanted) !== undefined;
  }
  if (!(within instanceof ListValue)) return noSuchOverload('@in');
  frame.charge(within.size);
  return isAmong(within, wanted, frame);
}

function isAmong(within: ListValue, wanted: Value, frame: Frame): Value {
  let failure: CelError | undefined;
  for (let index = 0; index < within.size; index++) {
    const equal = equalValues(within.get(index), wanted, frame);
    if (equal === true) return true;
    if (equal instanceof CelError) failure ??= equal;
  }
  return failure ?? false;
}
