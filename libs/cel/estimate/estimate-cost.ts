import { figures } from '../cost/figures.ts';
import { addRanges, exactly, multiplyRanges, type Range } from '../cost/size-range.ts';
import { constantCost } from '../functions/estimates.ts';
import type { Operand } from '../functions/function-definition.ts';
import { functionNamed, operatorNamed } from '../functions/function-table.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ParsedExpression,
} from '../syntax/expression.ts';
import type { CheckedFacts } from '../types/declarations.ts';
import type { CelType } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { sizeOfPlace, sizeOfType } from './schema-sizes.ts';

/** Options of a cost estimate. */
interface EstimateOptions {
  /** The size of strings and bytes of unknown size; default: any size. */
  readonly unknownSize?: Range;
}

/**
 * Estimates the minimum and maximum cost of an expression with known types for all values; sizes are those that the schemas of
 * the types allow. The maximum is infinite if nothing bounds a loop.
 */
export function estimateCost(
  { root }: ParsedExpression,
  facts: CheckedFacts,
  { unknownSize }: EstimateOptions = {},
): Range {
  const sizes = new Map<number, Range>();
  const estimation: Estimation = { facts, sizes, unknownSize, keyVariables: [] };
  return estimateNode(root, estimation);
}

interface Estimation {
  readonly facts: CheckedFacts;
  /** Known sizes of results, by node. */
  readonly sizes: Map<number, Range>;
  readonly unknownSize: Range | undefined;
  /** The variables of the enclosing loops, innermost last, and whether each is a map key. */
  readonly keyVariables: { readonly name: string; readonly isKey: boolean }[];
}

const free = exactly(0);

function estimateNode(expression: Expression, estimation: Estimation): Range {
  const cost = (part: Expression) => estimateNode(part, estimation);
  switch (expression.kind) {
    case 'constant':
      return free;
    case 'identifier':
      return isTypeName(expression, estimation) ? free : nameCost(expression.name, expression.id, estimation);
    case 'select':
      // `has()` and its operand are free.
      return expression.isTest ? free : selectCost(expression, estimation);
    case 'call':
      return callCost(expression, estimation);
    case 'list':
      return addRanges(exactly(figures.listLiteral), ...expression.elements.map(cost));
    case 'map':
      return addRanges(
        exactly(figures.mapLiteral),
        ...expression.entries.flatMap(({ key, value }) => [cost(key), cost(value)]),
      );
    case 'struct':
      return addRanges(exactly(figures.messageLiteral), ...expression.fields.map(({ value }) => cost(value)));
    case 'comprehension':
      return loopCost(expression, estimation);
  }
}

function isTypeName({ id }: Expression, { facts }: Estimation): boolean {
  return facts.types.get(id)?.kind === 'type';
}

function nameCost(name: string, id: number, estimation: Estimation): Range {
  const loop = estimation.keyVariables.findLast(variable => variable.name === name);
  // kube-apiserver estimates map keys as empty.
  if (loop?.isKey === true) estimation.sizes.set(id, free);
  return exactly(figures.name);
}

function selectCost(expression: Expression & { kind: 'select' }, estimation: Estimation): Range {
  const { facts } = estimation;
  // Selections that form the qualified name of a variable or type count as one name.
  if (facts.names.has(expression.id))
    return isTypeName(expression, estimation) ? free : exactly(figures.name);
  return addRanges(estimateNode(expression.operand, estimation), exactly(figures.selection));
}

function callCost(call: CallExpression, estimation: Estimation): Range {
  const parts = call.target === undefined ? call.arguments : [call.target, ...call.arguments];
  const costs = parts.map(part => estimateNode(part, estimation));
  const operator = operatorNamed(call.function);
  const { estimate = constantCost } = operator ?? functionNamed(call.function) ?? {};
  const [first = absent, second = absent, third = absent] = parts.map(part =>
    createOperand(part, estimation),
  );
  const { cost, size } = estimate({ first, second, third });
  if (size !== undefined) estimation.sizes.set(call.id, size);
  return operator?.operandCosts === undefined
    ? addRanges(cost, ...costs)
    : addRanges(cost, operator.operandCosts(costs));
}

/** A missing operand of a call. */
const absent: Operand = { expression: undefined, type: undefined, size: free, elementSize: free };

function createOperand(expression: Expression, estimation: Estimation): Operand {
  const type = estimation.facts.types.get(expression.id);
  return {
    expression,
    type,
    size: sizeOf(expression, estimation),
    elementSize: type?.kind === 'list' ? sizeByType(type.element, estimation) : sizeOfType(undefined),
  };
}

function loopCost(loop: ComprehensionExpression, estimation: Estimation): Range {
  const { facts, keyVariables, sizes } = estimation;
  const range = estimateNode(loop.range, estimation);
  const initial = estimateNode(loop.initial, estimation);
  const rangeSize = sizeOf(loop.range, estimation);
  keyVariables.push(
    { name: loop.accumulator, isKey: false },
    { name: loop.variable, isKey: facts.types.get(loop.range.id)?.kind === 'map' },
  );
  const each = addRanges(estimateNode(loop.condition, estimation), estimateNode(loop.step, estimation));
  keyVariables.pop();
  const result = estimateNode(loop.result, estimation);
  keyVariables.pop();
  // A loop that builds a list adds at most one element per iteration.
  if (loop.initial.kind === 'list') sizes.set(loop.id, { min: 0, max: rangeSize.max });
  return addRanges(range, initial, multiplyRanges(rangeSize, each), result);
}

function sizeOf(expression: Expression, estimation: Estimation): Range {
  const known = estimation.sizes.get(expression.id) ?? sizeOfLiteral(expression);
  return known ?? sizeByType(estimation.facts.types.get(expression.id), estimation);
}

function sizeByType(type: CelType | undefined, { unknownSize }: Estimation): Range {
  const place = sizeOfPlace(type);
  if (place !== undefined) return place;
  const isText = type?.kind === 'primitive' && (type.name === 'string' || type.name === 'bytes');
  return isText && unknownSize !== undefined ? unknownSize : sizeOfType(type);
}

function sizeOfLiteral(expression: Expression): Range | undefined {
  switch (expression.kind) {
    case 'list':
      return exactly(expression.elements.length);
    case 'map':
      return exactly(expression.entries.length);
    case 'constant': {
      const { value } = expression;
      if (typeof value === 'string') return exactly(codePointLength(value));
      return exactly(value instanceof Uint8Array ? value.length : 1);
    }
    default:
      return undefined;
  }
}
