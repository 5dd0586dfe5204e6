import { sizeOf, traversalCost } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import type { CallExpression } from '../syntax/expression.ts';
import { addNumbers, divide, multiply, negate, remainder, subtract } from '../values/arithmetic.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { maxTextLength } from '../values/code-points.ts';
import { equalValues } from '../values/equality.ts';
import { compareValues } from '../values/ordering.ts';
import { ListValue, type Value } from '../values/value.ts';
import type { Context, Step } from './compilation.ts';
import { compileConditional } from './compile-conditional.ts';
import { compileContainment } from './compile-containment.ts';
import { compileIndex } from './compile-index.ts';
import { joinLists } from './join-lists.ts';

/** Compiles a call of an operator; undefined for other calls. */
export function compileOperator(call: CallExpression, context: Context): Step | undefined {
  const {
    target,
    arguments: [first, second],
  } = call;
  if (target !== undefined || first === undefined) return undefined;
  const name = call.function;
  if (name === '_?_:_') return compileConditional(call, context);
  if (name === '_[_]') return compileIndex(call, context);
  if (name === '@in') return compileContainment(call, context);
  const left = context.compile(first);
  const unary = unaryOperators[name];
  if (second === undefined) return unary?.(left);
  const right = context.compile(second);
  const logical = logicalOperators[name];
  if (logical !== undefined) return logical(left, right);
  const equality = equalities[name];
  if (equality !== undefined) return equalityStep(left, right, equality);
  const order = orders[name];
  if (order !== undefined) return orderStep({ name, left, right, holds: order });
  const arithmetic = arithmetics[name];
  return arithmetic === undefined ? undefined : arithmeticStep({ name, left, right, compute: arithmetic });
}

const unaryOperators: Readonly<Record<string, (operand: Step) => Step>> = {
  '!_': not,
  '-_': minus,
  '@not_strictly_false': notStrictlyFalse,
};

const logicalOperators: Readonly<Record<string, (left: Step, right: Step) => Step>> = {
  '_&&_': (left, right) => absorbing({ left, right, name: '_&&_', decisive: false }),
  '_||_': (left, right) => absorbing({ left, right, name: '_||_', decisive: true }),
};

/** The result of `equalValues` for which each operator is true. */
const equalities: Readonly<Record<string, boolean>> = { '_==_': true, '_!=_': false };

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  '_<_': order => order < 0,
  '_<=_': order => order <= 0,
  '_>_': order => order > 0,
  '_>=_': order => order >= 0,
};

type Arithmetic = (left: Value, right: Value, frame: Frame) => Value | undefined;

const arithmetics: Readonly<Record<string, Arithmetic>> = {
  '_+_': add,
  '_-_': charging(subtract),
  '_*_': charging(multiply),
  '_/_': charging(divide),
  '_%_': charging(remainder),
};

function charging(compute: (left: Value, right: Value) => Value | undefined): Arithmetic {
  return (left, right, frame) => {
    frame.charge(figures.call);
    return compute(left, right);
  };
}

function not(operand: Step): Step {
  const refused = noSuchOverload('!_');
  return frame => {
    const value = operand(frame);
    frame.charge(figures.call);
    if (value instanceof CelError) return value;
    return typeof value === 'boolean' ? !value : refused;
  };
}

function minus(operand: Step): Step {
  const refused = noSuchOverload('-_');
  return frame => {
    const value = operand(frame);
    frame.charge(figures.call);
    if (value instanceof CelError) return value;
    return negate(value) ?? refused;
  };
}

function notStrictlyFalse(operand: Step): Step {
  return frame => {
    const value = operand(frame);
    frame.charge(figures.call);
    return value !== false;
  };
}

/** Creates `&&` or `||`: if one operand decides the result, errors of the other are ignored. */
function absorbing(parts: { left: Step; right: Step; name: string; decisive: boolean }): Step {
  const { left, right, decisive } = parts;
  const refused = noSuchOverload(parts.name);
  return frame => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    if (second === decisive) return decisive;
    if (typeof first === 'boolean' && typeof second === 'boolean') return !decisive;
    if (first instanceof CelError) return first;
    return second instanceof CelError ? second : refused;
  };
}

function equalityStep(left: Step, right: Step, wanted: boolean): Step {
  return frame => {
    const first = left(frame);
    const second = right(frame);
    frame.charge(figures.comparison);
    if (first instanceof CelError) return first;
    if (second instanceof CelError) return second;
    const equal = equalValues(first, second, frame);
    return equal instanceof CelError ? equal : equal === wanted;
  };
}

function orderStep(parts: {
  name: string;
  left: Step;
  right: Step;
  holds: (order: number) => boolean;
}): Step {
  const { left, right, holds } = parts;
  const refused = noSuchOverload(parts.name);
  return frame => {
    const first = left(frame);
    const second = right(frame);
    frame.charge(figures.comparison);
    if (first instanceof CelError) return first;
    if (second instanceof CelError) return second;
    if (typeof first === 'string' || first instanceof Uint8Array) frame.traverse(first.length >>> 4);
    const order = compareValues(first, second);
    return order === undefined ? refused : holds(order);
  };
}

function arithmeticStep(parts: { name: string; left: Step; right: Step; compute: Arithmetic }): Step {
  const { left, right, compute } = parts;
  const refused = noSuchOverload(parts.name);
  return frame => {
    const first = left(frame);
    const second = right(frame);
    if (first instanceof CelError || second instanceof CelError) {
      frame.charge(figures.call);
      return first instanceof CelError ? first : second;
    }
    return compute(first, second, frame) ?? refused;
  };
}

/** Evaluates `+` for numbers of one type, strings, bytes, lists and times. Undefined for other operands. */
function add(left: Value, right: Value, frame: Frame): Value | undefined {
  if (typeof left === 'string') return typeof right === 'string' ? addText(left, right, frame) : undefined;
  if (left instanceof ListValue)
    return right instanceof ListValue ? joinLists(left, right, frame) : undefined;
  if (left instanceof Uint8Array)
    return right instanceof Uint8Array ? addBytes(left, right, frame) : undefined;
  frame.charge(figures.call);
  return addNumbers(left, right);
}

function addText(left: string, right: string, frame: Frame): Value {
  frame.charge(traversalCost(sizeOf(left) + sizeOf(right)));
  return left.length + right.length > maxTextLength ? new CelError('the text is too long') : left + right;
}

function addBytes(left: Uint8Array, right: Uint8Array, frame: Frame): Value {
  frame.charge(traversalCost(left.length + right.length));
  if (left.length + right.length > maxTextLength) return new CelError('too many bytes');
  return new Uint8Array(Buffer.concat([left, right]));
}
