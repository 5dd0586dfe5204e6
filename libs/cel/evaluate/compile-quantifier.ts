import { figures } from '../cost/figures.ts';
import type { ComprehensionExpression, Expression } from '../syntax/expression.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';

/** A loop that asks one question of every element until one decides: what `all` and `exists` expand to. */
interface Quantifier {
  /** The answer that decides: false for `all`, true for `exists`. */
  readonly decisive: boolean;
  readonly question: Expression;
  /** The cost of each look at the condition. */
  readonly conditionCost: number;
}

/** The question of a loop of that form, undefined for other loops. */
export function quantifierOf(loop: ComprehensionExpression): Quantifier | undefined {
  const { initial, condition, step, accumulator } = loop;
  if (initial.kind !== 'constant' || typeof initial.value !== 'boolean') return undefined;
  const decisive = !initial.value;
  if (step.kind !== 'call' || step.function !== (decisive ? '_||_' : '_&&_')) return undefined;
  const [accumulated, question] = step.arguments;
  if (question === undefined || !isName(accumulated, accumulator)) return undefined;
  const kept = argumentOf(condition, '@not_strictly_false');
  const asked = decisive ? argumentOf(kept, '!_') : kept;
  if (!isName(asked, accumulator)) return undefined;
  return { decisive, question, conditionCost: figures.name + figures.call * (decisive ? 2 : 1) };
}

const refused = noSuchOverload('_&&_');

/** The value after another answer: the first error stays until an answer decides. */
export function afterAnswer(known: Value, answer: Value, decisive: boolean): Value {
  if (answer === decisive) return decisive;
  if (known instanceof CelError || typeof answer === 'boolean') return known;
  return answer instanceof CelError ? answer : refused;
}

function argumentOf(expression: Expression | undefined, name: string): Expression | undefined {
  return expression?.kind === 'call' && expression.function === name ? expression.arguments[0] : undefined;
}

/** Whether an expression is nothing but that name. */
export function isName(expression: Expression | undefined, name: string): boolean {
  return expression?.kind === 'identifier' && expression.name === name;
}
