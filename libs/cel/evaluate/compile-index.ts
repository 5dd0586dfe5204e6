import { figures } from '../cost/figures.ts';
import type { CallExpression } from '../syntax/expression.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { JsonMapValue, LiteralMapValue } from '../values/map-value.ts';
import { Uint } from '../values/uint.ts';
import { ListValue, type Value } from '../values/value.ts';
import { CompilationError, type Context, type Step } from './compilation.ts';
import { isPathOfName } from './compile-conditional.ts';

/** Compiles `operand[index]`. An index that is a name with field selections costs only these, without a further selection. */
export function compileIndex(call: CallExpression, context: Context): Step {
  const [first, second] = call.arguments;
  if (first === undefined || second === undefined) throw new CompilationError('[] takes two operands', call);
  const operand = context.compile(first);
  const index = context.compile(second);
  const cost = isPathOfName(second) ? 0 : figures.selection;
  return frame => {
    const target = operand(frame);
    const key = index(frame);
    frame.charge(cost);
    if (target instanceof CelError) return target;
    return key instanceof CelError ? key : readElement(target, key);
  };
}

const refused = noSuchOverload('_[_]');

function readElement(target: Value, key: Value): Value {
  if (target instanceof ListValue) return readItem(target, key);
  if (!(target instanceof JsonMapValue || target instanceof LiteralMapValue)) return refused;
  const value = target.get(key);
  return value === undefined ? missing(key) : value;
}

function readItem(list: ListValue, key: Value): Value {
  const worth = key instanceof Uint ? key.value : key;
  if (typeof worth !== 'bigint' && typeof worth !== 'number') return refused;
  if (typeof worth === 'number' && !Number.isInteger(worth))
    return new CelError('invalid argument: an index must be an integer');
  return worth >= 0 && worth < list.size
    ? list.get(Number(worth))
    : new CelError(`index out of bounds: ${worth}`);
}

function missing(key: Value): CelError {
  const text = key instanceof Uint ? key.value : key;
  return new CelError(
    `no such key: ${typeof text === 'object' ? 'of that type' : String(text).slice(0, 256)}`,
  );
}
