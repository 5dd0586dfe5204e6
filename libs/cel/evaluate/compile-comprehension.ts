import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import type { ComprehensionExpression, Expression } from '../syntax/expression.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';
import type { Context, Scope, Step } from './compilation.ts';
import { constantValue } from './constant-value.ts';

/** Compiles a loop over the elements of a list or the keys of a map. */
export function compileComprehension(loop: ComprehensionExpression, context: Context): Step {
  const range = context.compile(loop.range);
  const accumulator: Scope = {
    name: loop.accumulator,
    slot: context.compilation.newSlot(),
    outer: context.scope,
  };
  const inner: Scope = { name: loop.variable, slot: context.compilation.newSlot(), outer: accumulator };
  const collected = collectingStep(loop, { inner, context });
  const result = context.compile(loop.result, accumulator);
  const parts = { range, variable: inner.slot, accumulator: accumulator.slot, result };
  if (collected !== undefined) {
    const initialCost = context.compilation.folds ? 0 : figures.listLiteral;
    return collectingLoop({ ...parts, initialCost, collect: collected });
  }
  const quantifier = findQuantifier(loop);
  if (quantifier !== undefined) {
    const question = context.compile(quantifier.question, inner);
    return quantifierLoop({ ...parts, ...quantifier, question });
  }
  return plainLoop({
    ...parts,
    initial: context.compile(loop.initial),
    condition: context.compile(loop.condition, inner),
    step: context.compile(loop.step, inner),
  });
}

interface Loop {
  readonly range: Step;
  readonly variable: number;
  readonly accumulator: number;
  readonly result: Step;
}

const notARange = noSuchOverload('a loop goes through lists and maps');

function plainLoop(loop: Loop & { initial: Step; condition: Step; step: Step }): Step {
  const { condition, step, variable, accumulator } = loop;
  return frame => {
    const range = loop.range(frame);
    const size = sizeOfRange(range);
    if (size === undefined) return range instanceof CelError ? range : notARange;
    const elements = elementReader(range);
    frame.slots[accumulator] = loop.initial(frame);
    for (let index = 0; index < size; index++) {
      frame.slots[variable] = elements(index);
      const goesOn = condition(frame);
      if (goesOn instanceof CelError) return goesOn;
      if (goesOn !== true) break;
      frame.slots[accumulator] = step(frame);
    }
    return loop.result(frame);
  };
}

/** Creates the loop of `all` or `exists`, with the cost of its expanded form. */
function quantifierLoop(loop: Loop & { decisive: boolean; conditionCost: number; question: Step }): Step {
  const { decisive, conditionCost, question, variable, accumulator } = loop;
  return frame => {
    const range = loop.range(frame);
    const size = sizeOfRange(range);
    if (size === undefined) return range instanceof CelError ? range : notARange;
    const elements = elementReader(range);
    let known: Value = !decisive;
    for (let index = 0; index < size; index++) {
      frame.charge(conditionCost);
      if (known === decisive) break;
      frame.slots[variable] = elements(index);
      frame.charge(figures.name);
      known = afterAnswer(known, question(frame), decisive);
    }
    frame.slots[accumulator] = known;
    return loop.result(frame);
  };
}

/** Creates a loop that appends to a list. Elements are collected in an array, because intermediate lists are not visible. */
function collectingLoop(loop: Loop & { initialCost: number; collect: Collect }): Step {
  const { collect, variable, accumulator } = loop;
  return frame => {
    const range = loop.range(frame);
    const size = sizeOfRange(range);
    if (size === undefined) return range instanceof CelError ? range : notARange;
    const elements = elementReader(range);
    frame.charge(loop.initialCost);
    const collection: Value[] = [];
    for (let index = 0; index < size; index++) {
      frame.slots[variable] = elements(index);
      const failure = collect(frame, collection);
      if (failure !== undefined) return failure;
    }
    frame.slots[accumulator] = ListValue.of(collection);
    return loop.result(frame);
  };
}

/** Adds the result of one iteration; an error ends the loop, because it would remain the accumulated value. */
type Collect = (frame: Frame, collection: Value[]) => CelError | undefined;

/** Creates the iteration of `map` or `filter`: `accumulator + [element]`, with or without a condition. */
function collectingStep(
  loop: ComprehensionExpression,
  { inner, context }: { inner: Scope; context: Context },
): Collect | undefined {
  const isEmptyList = loop.initial.kind === 'list' && loop.initial.elements.length === 0;
  const isEndless = loop.condition.kind === 'constant' && loop.condition.value === true;
  if (!isEmptyList || !isEndless) return undefined;
  const { step } = loop;
  const always = appendedElement(step, loop.accumulator);
  if (always !== undefined) return appending(always, { inner, context });
  if (step.kind !== 'call' || step.function !== '_?_:_') return undefined;
  const [condition, appended, otherwise] = step.arguments;
  const element = appendedElement(appended, loop.accumulator);
  if (condition === undefined || element === undefined || !isName(otherwise, loop.accumulator))
    return undefined;
  return appendingWhere(context.compile(condition, inner), appending(element, { inner, context }));
}

function appending(appended: Expression, { inner, context }: { inner: Scope; context: Context }): Collect {
  const element = context.compile(appended, inner);
  const isFolded = context.compilation.folds && constantValue(appended) !== undefined;
  const listCost = isFolded ? 0 : figures.listLiteral;
  return (frame, collection) => {
    // The cost of the expanded expression: the accumulator's name, the list of one element, the addition.
    frame.charge(figures.name);
    const value = element(frame);
    if (value instanceof CelError) return value;
    frame.charge(listCost);
    frame.charge(figures.call);
    collection.push(value);
    return undefined;
  };
}

function appendingWhere(condition: Step, append: Collect): Collect {
  const refused = noSuchOverload('_?_:_');
  return (frame, collection) => {
    const chosen = condition(frame);
    if (chosen === true) return append(frame, collection);
    if (chosen === false) return undefined;
    return chosen instanceof CelError ? chosen : refused;
  };
}

function appendedElement(step: Expression | undefined, accumulator: string): Expression | undefined {
  if (step?.kind !== 'call' || step.function !== '_+_') return undefined;
  const [list, added] = step.arguments;
  if (!isName(list, accumulator) || added?.kind !== 'list' || added.elements.length !== 1) return undefined;
  return added.elements[0];
}

function sizeOfRange(range: Value): number | undefined {
  return range instanceof ListValue || range instanceof MapValue ? range.size : undefined;
}

function elementReader(range: Value): (index: number) => Value {
  if (range instanceof ListValue) return index => range.get(index);
  const keys = range instanceof MapValue ? range.keys() : [];
  return index => keys[index] ?? null;
}

/** A loop that evaluates a condition for each element until one decides: the expansion of `all` and `exists`. */
interface Quantifier {
  /** The result that decides: false for `all`, true for `exists`. */
  readonly decisive: boolean;
  readonly question: Expression;
  /** The cost of each evaluation of the loop condition. */
  readonly conditionCost: number;
}

/** Returns the quantifier of a loop of this form; undefined for other loops. */
function findQuantifier(loop: ComprehensionExpression): Quantifier | undefined {
  const { initial, condition, step, accumulator } = loop;
  if (initial.kind !== 'constant' || typeof initial.value !== 'boolean') return undefined;
  const decisive = !initial.value;
  if (step.kind !== 'call' || step.function !== (decisive ? '_||_' : '_&&_')) return undefined;
  const [accumulated, question] = step.arguments;
  if (question === undefined || !isName(accumulated, accumulator)) return undefined;
  const kept = firstArgument(condition, '@not_strictly_false');
  const asked = decisive ? firstArgument(kept, '!_') : kept;
  if (!isName(asked, accumulator)) return undefined;
  return { decisive, question, conditionCost: figures.name + figures.call * (decisive ? 2 : 1) };
}

const refused = noSuchOverload('_&&_');

/** Returns the accumulated value after a result that is not decisive: the first error is kept until a result decides. */
function afterAnswer(known: Value, answer: Value, decisive: boolean): Value {
  if (answer === decisive) return decisive;
  if (known instanceof CelError || typeof answer === 'boolean') return known;
  return answer instanceof CelError ? answer : refused;
}

function firstArgument(expression: Expression | undefined, name: string): Expression | undefined {
  return expression?.kind === 'call' && expression.function === name ? expression.arguments[0] : undefined;
}

/** Whether an expression is just this name. */
function isName(expression: Expression | undefined, name: string): boolean {
  return expression?.kind === 'identifier' && expression.name === name;
}
