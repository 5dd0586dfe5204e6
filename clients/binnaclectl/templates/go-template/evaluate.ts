import { isJsonObject } from '@binnacle/api-objects';
import { longestOutput } from '../bounded-output.ts';
import { TemplateError } from '../template-error.ts';
import { type GoValue, goTypeName, readMember } from '../values/go-value.ts';
import { type Frame, faultAt, type Place, takeStep } from './frame.ts';
import { functions, isTrue, type TemplateFunction } from './functions.ts';
import {
  type CommandNode,
  commandText,
  type Expression,
  expressionText,
  type PipelineNode,
  type VariableNode,
} from './nodes.ts';

/** The value of the command before, where there is one: the last argument. */
type Final = { readonly value: GoValue } | undefined;

/** The value of a pipeline, which is set to its variables; a null is no value then, as in Go. */
export function evaluatePipeline(pipeline: PipelineNode, dot: GoValue, frame: Frame): GoValue {
  let final: Final;
  for (const command of pipeline.commands)
    final = { value: evaluateCommand(command, dot, frame, final) ?? undefined };
  const value = final?.value;
  for (const variable of pipeline.variables) {
    if (pipeline.isAssignment) assignVariable(variable.name, value, frame, lastPlace(pipeline));
    else frame.variables.push({ name: variable.name, value });
  }
  return value;
}

/** Sets a variable that exists. */
export function assignVariable(name: string, value: GoValue, frame: Frame, place: Place): void {
  const variable = frame.variables.findLast(candidate => candidate.name === name);
  if (variable === undefined) throw faultAt(frame, place, `undefined variable: ${name}`);
  variable.value = value;
}

/** The place of the last word of a pipeline, which Go names for what becomes of its value. */
export function lastPlace(pipeline: PipelineNode): Place {
  return placeFromExpression(pipeline.commands.at(-1)?.words.at(-1) ?? pipeline);
}

/** The place of an expression in a message. */
export function placeFromExpression(node: Expression): Place {
  return { at: node.at, shown: expressionText(node) };
}

function evaluateCommand(command: CommandNode, dot: GoValue, frame: Frame, final: Final): GoValue {
  takeStep(frame.work);
  const [first, ...words] = command.words;
  if (first === undefined) return undefined;
  const hasArguments = words.length > 0 || final !== undefined;
  switch (first.kind) {
    case 'field':
      return followFields(dot, first, frame, hasArguments);
    case 'chain':
      return followFields(evaluateArgument(first.from, dot, frame), first, frame, hasArguments);
    case 'variable':
      if (first.names.length > 0) return followFields(findVariable(first, frame), first, frame, hasArguments);
      break;
    case 'function':
      return callFunction(
        { node: first, words, shown: commandText(command), at: command.at },
        dot,
        frame,
        final,
      );
    case 'pipeline':
      if (hasArguments)
        throw faultAt(
          frame,
          { at: command.at, shown: commandText(command) },
          `can't give argument to non-function ${expressionText(first)}`,
        );
      return evaluatePipeline(first, dot, frame);
  }
  if (hasArguments)
    throw faultAt(
      frame,
      placeFromExpression(first),
      `can't give argument to non-function ${expressionText(first)}`,
    );
  if (first.kind === 'nil') throw faultAt(frame, placeFromExpression(first), 'nil is not a command');
  return evaluateArgument(first, dot, frame);
}

function evaluateArgument(node: Expression, dot: GoValue, frame: Frame): GoValue {
  takeStep(frame.work);
  switch (node.kind) {
    case 'dot':
      return dot;
    case 'nil':
      return null;
    case 'bool':
    case 'number':
      return node.value;
    case 'string':
      return node.text;
    case 'field':
      return followFields(dot, node, frame, false);
    case 'variable':
      return followFields(findVariable(node, frame), node, frame, false);
    case 'chain':
      return followFields(evaluateArgument(node.from, dot, frame), node, frame, false);
    case 'function':
      return callFunction({ node, words: [], shown: node.name, at: node.at }, dot, frame, undefined);
    case 'pipeline':
      return evaluatePipeline(node, dot, frame);
  }
}

function findVariable(node: VariableNode, frame: Frame): GoValue {
  const variable = frame.variables.findLast(candidate => candidate.name === node.name);
  // It is read before its own declaration has a value.
  if (variable === undefined)
    throw faultAt(frame, placeFromExpression(node), `undefined variable: ${node.name}`);
  return variable.value;
}

function followFields(
  start: GoValue,
  node: Extract<Expression, { readonly names: readonly string[] }>,
  frame: Frame,
  hasArguments: boolean,
): GoValue {
  let value = start;
  for (const [index, name] of node.names.entries()) {
    const problem = fieldProblem(value, name, frame, hasArguments && index === node.names.length - 1);
    if (problem !== undefined) throw faultAt(frame, placeFromExpression(node), problem);
    value = isJsonObject(value) ? readMember(value, name) : undefined;
  }
  return value;
}

/** Why a value has not the field; undefined where it has, or where it may be missing. */
function fieldProblem(
  value: GoValue,
  name: string,
  { allowMissingKeys }: Frame,
  hasArguments: boolean,
): string | undefined {
  const quoted = JSON.stringify(name);
  if (value === undefined) return allowMissingKeys ? undefined : `nil data; no entry for key ${quoted}`;
  if (value === null) return `nil pointer evaluating interface {}.${name}`;
  if (!isJsonObject(value)) return `can't evaluate field ${name} in type interface {}`;
  if (hasArguments) return `${name} is not a method but has arguments`;
  if (!allowMissingKeys && readMember(value, name) === undefined) return `map has no entry for key ${quoted}`;
  return undefined;
}

/** A function with its arguments as they are written, and the command that it stands in. */
interface Call extends Place {
  readonly node: Extract<Expression, { readonly kind: 'function' }>;
  readonly words: readonly Expression[];
}

function callFunction(call: Call, dot: GoValue, frame: Frame, final: Final): GoValue {
  const { node, words } = call;
  const count = words.length + (final === undefined ? 0 : 1);
  const called = functions.get(node.name);
  const { least, most } = called ?? { least: 1, most: Infinity };
  if (count < least || count > most) {
    const wanted = least === most ? `${least}` : `at least ${least}`;
    throw faultAt(
      frame,
      placeFromExpression(node),
      `wrong number of args for ${node.name}: want ${wanted} got ${count}`,
    );
  }
  if (called === undefined) return evaluateUntil(node.name === 'or', call, dot, frame, final);
  const values = words.map(word => evaluateArgument(word, dot, frame));
  if (final !== undefined) values.push(final.value);
  if (called.firstIsText && typeof values[0] !== 'string')
    throw faultAt(
      frame,
      words[0] === undefined ? call : placeFromExpression(words[0]),
      wrongText(values[0], words[0]),
    );
  return callWith(called, values, call, frame);
}

function callWith(called: TemplateFunction, values: readonly GoValue[], call: Call, frame: Frame): GoValue {
  try {
    const result = called.call(values);
    if (typeof result === 'string' && result.length > longestOutput)
      throw new TemplateError(`the result has more than ${longestOutput} characters`);
    return result;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw faultAt(frame, call, `error calling ${call.node.name}: ${error.message}`);
  }
}

function wrongText(value: GoValue, word: Expression | undefined): string {
  if (word?.kind === 'nil') return 'cannot assign nil to string';
  if (word?.kind === 'number' || word?.kind === 'bool')
    return `expected string; found ${expressionText(word)}`;
  return value === undefined || value === null
    ? 'invalid value; expected string'
    : `wrong type for value; expected string; got ${goTypeName(value)}`;
}

/** `or` gives the first argument that is true, `and` the first that is not; the others are not evaluated. Otherwise the last. */
function evaluateUntil(stopsAt: boolean, { words }: Call, dot: GoValue, frame: Frame, final: Final): GoValue {
  let value: GoValue;
  for (const word of words) {
    value = evaluateArgument(word, dot, frame);
    if (isTrue(value) === stopsAt) return value;
  }
  return final === undefined ? value : final.value;
}
