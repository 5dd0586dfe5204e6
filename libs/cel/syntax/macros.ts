import type { Expression } from './expression.ts';
import { SyntaxIssue } from './syntax-issue.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** A call that may be a macro, with the positions of its parenthesis and arguments as indexes of the text. */
interface MacroCall {
  readonly builder: TreeBuilder;
  readonly target: Expression | undefined;
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly index: number;
  readonly argumentIndexes: readonly number[];
}

interface LoopCall {
  readonly builder: TreeBuilder;
  readonly index: number;
  readonly variable: string;
  readonly range: Expression;
  /** The arguments after the variable. */
  readonly rest: readonly Expression[];
}

/** Not a valid name in expressions. */
const accumulator = '@result';

const loops: ReadonlyMap<string, (call: LoopCall) => Expression> = new Map([
  ['all/2', expandAll],
  ['exists/2', expandExists],
  ['exists_one/2', expandExistsOne],
  ['map/2', expandMap],
  ['map/3', expandMap],
  ['filter/2', expandFilter],
]);

/** Expands a macro; undefined for other calls. Throws a SyntaxIssue for invalid arguments. */
export function expandMacro(call: MacroCall): Expression | undefined {
  const { target, name, builder, index } = call;
  const [first, ...rest] = call.arguments;
  if (first === undefined) return undefined;
  if (target === undefined) return name === 'has' && rest.length === 0 ? expandHas(call, first) : undefined;
  const expand = loops.get(`${name}/${call.arguments.length}`);
  if (expand === undefined) return undefined;
  if (first.kind !== 'identifier' || first.name.startsWith('.'))
    throw new SyntaxIssue(call.argumentIndexes[0] ?? index, 'argument must be a simple name');
  return expand({ builder, index, variable: first.name, range: target, rest });
}

function expandHas({ builder, index, argumentIndexes }: MacroCall, argument: Expression): Expression {
  if (argument.kind !== 'select' || argument.isTest)
    throw new SyntaxIssue(argumentIndexes[0] ?? index, 'invalid argument to has() macro');
  return builder.fieldTest(argument.operand, argument.field, index);
}

function expandAll({ builder, index, variable, range, rest }: LoopCall): Expression {
  const result = () => builder.identifier(accumulator, index);
  return builder.loop(index, variable, range, {
    accumulator,
    initial: builder.constant(true, index),
    condition: builder.call('@not_strictly_false', [result()], index),
    step: builder.call('_&&_', [result(), ...rest], index),
    result: result(),
  });
}

function expandExists({ builder, index, variable, range, rest }: LoopCall): Expression {
  const result = () => builder.identifier(accumulator, index);
  return builder.loop(index, variable, range, {
    accumulator,
    initial: builder.constant(false, index),
    condition: builder.call('@not_strictly_false', [builder.call('!_', [result()], index)], index),
    step: builder.call('_||_', [result(), ...rest], index),
    result: result(),
  });
}

function expandExistsOne({ builder, index, variable, range, rest }: LoopCall): Expression {
  const result = () => builder.identifier(accumulator, index);
  const oneMore = builder.call('_+_', [result(), builder.constant(1n, index)], index);
  return builder.loop(index, variable, range, {
    accumulator,
    initial: builder.constant(0n, index),
    condition: builder.constant(true, index),
    step: builder.call('_?_:_', [...rest, oneMore, result()], index),
    result: builder.call('_==_', [result(), builder.constant(1n, index)], index),
  });
}

function expandMap(call: LoopCall): Expression {
  const [first, second] = call.rest;
  // The table contains this macro for one or two arguments after the variable.
  if (first === undefined) throw new Error('map has too few arguments');
  return second === undefined ? collect(call, first, undefined) : collect(call, second, first);
}

function expandFilter(call: LoopCall): Expression {
  return collect(call, call.builder.identifier(call.variable, call.index), call.rest[0]);
}

/** Builds a list of `element` for each iteration in which `predicate` holds. */
function collect(
  { builder, index, variable, range }: LoopCall,
  element: Expression,
  predicate: Expression | undefined,
): Expression {
  const result = () => builder.identifier(accumulator, index);
  const added = builder.call('_+_', [result(), builder.list([element], index)], index);
  return builder.loop(index, variable, range, {
    accumulator,
    initial: builder.list([], index),
    condition: builder.constant(true, index),
    step: predicate === undefined ? added : builder.call('_?_:_', [predicate, added, result()], index),
    result: result(),
  });
}
