import { figures } from '../cost/figures.ts';
import { Frame } from '../frame/frame.ts';
import type { FunctionDefinition, LibraryFunction } from '../functions/function-definition.ts';
import { functionNamed } from '../functions/function-table.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';
import { CompilationError, type Context, type Step } from './compilation.ts';

/** Compiles a call of a function or method by name. */
export function compileCall(call: CallExpression, context: Context): Step {
  const definition = functionNamed(call.function);
  if (definition === undefined) return unknownFunction(call, context);
  const operands = call.target === undefined ? call.arguments : [call.target, ...call.arguments];
  const work =
    withPattern(definition, call, operands) ?? withOverload(definition, call, context) ?? definition.evaluate;
  if (definition.isFoldable === true && context.compilation.folds) {
    const folded = foldedCall(call, operands, work);
    if (folded !== undefined) return () => folded;
  }
  const steps = operands.map(operand => context.compile(operand));
  return callStep(call.function, steps, work);
}

/** Compiles a call of an unknown function: an evaluation error without checker facts, a CompilationError with them. */
function unknownFunction(call: CallExpression, context: Context): Step {
  const message = `undeclared reference to '${call.function}'`;
  if (context.compilation.facts !== undefined) throw new CompilationError(message, call);
  const unknown = new CelError(message);
  return () => unknown;
}

function callStep(name: string, steps: readonly Step[], work: LibraryFunction): Step {
  const [first, second] = steps;
  if (steps.length === 1 && first !== undefined) return unaryStep(name, first, work);
  if (steps.length === 2 && first !== undefined && second !== undefined)
    return binaryStep(name, [first, second], work);
  const refused = noSuchOverload(name);
  return frame => {
    const values: Value[] = [];
    let failure: CelError | undefined;
    for (const step of steps) {
      const value = step(frame);
      if (value instanceof CelError) failure ??= value;
      values.push(value);
    }
    if (failure !== undefined) {
      frame.charge(figures.call);
      return failure;
    }
    const result = work(values, frame);
    return result === undefined ? refused : result;
  };
}

function unaryStep(name: string, operand: Step, work: LibraryFunction): Step {
  const refused = noSuchOverload(name);
  return frame => {
    const value = operand(frame);
    if (value instanceof CelError) {
      frame.charge(figures.call);
      return value;
    }
    const result = work([value], frame);
    return result === undefined ? refused : result;
  };
}

function binaryStep(name: string, [first, second]: readonly [Step, Step], work: LibraryFunction): Step {
  const refused = noSuchOverload(name);
  return frame => {
    const left = first(frame);
    const right = second(frame);
    if (left instanceof CelError || right instanceof CelError) {
      frame.charge(figures.call);
      return left instanceof CelError ? left : right;
    }
    const result = work([left, right], frame);
    return result === undefined ? refused : result;
  };
}

function withPattern(
  definition: FunctionDefinition,
  call: CallExpression,
  operands: readonly Expression[],
): LibraryFunction | undefined {
  const [, pattern] = operands;
  if (pattern?.kind !== 'constant' || typeof pattern.value !== 'string') return undefined;
  const work = definition.withLiteralPattern?.(pattern.value);
  if (work instanceof CelError)
    throw new CompilationError(`program instantiation failed: ${work.message}`, call);
  return work;
}

/** Selects the evaluation of a checked call with a single possible overload. */
function withOverload(
  definition: FunctionDefinition,
  call: CallExpression,
  context: Context,
): LibraryFunction | undefined {
  const [only, ...others] = context.compilation.facts?.overloads.get(call.id) ?? [];
  return only === undefined || others.length > 0 ? undefined : definition.withOverload?.(only);
}

function foldedCall(
  call: CallExpression,
  operands: readonly Expression[],
  work: LibraryFunction,
): Value | undefined {
  const [operand] = operands;
  if (operands.length !== 1 || operand?.kind !== 'constant') return undefined;
  const value = work([operand.value], new Frame([], Number.POSITIVE_INFINITY));
  if (value instanceof CelError)
    throw new CompilationError(`program instantiation failed: ${value.message}`, call);
  return value;
}
