import { figures } from '../cost/figures.ts';
import { addRanges, eitherRange, exactly } from '../cost/size-range.ts';
import type { OverloadDeclaration } from '../types/declarations.ts';
import { type CelType, types } from '../types/type.ts';
import { constantCost, isBytes, isText, traversalRange } from './estimates.ts';
import type { CallEstimate, Operands, OperatorDefinition } from './function-definition.ts';
import { global } from './overloads.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration } = types;
const a = types.parameter('A');
const b = types.parameter('B');
const listOfA = types.list(a);
const mapOfAToB = types.map(a, b);

/** The operators, under their names in the syntax tree. */
export const operators: readonly OperatorDefinition[] = [
  {
    name: '_?_:_',
    overloads: [global('conditional', [bool, a, a], a)],
    estimate: ({ second, third }) => ({ cost: exactly(0), size: eitherRange(second.size, third.size) }),
    operandCosts: ([condition = exactly(0), truthy = exactly(0), falsy = exactly(0)]) =>
      addRanges(condition, eitherRange(truthy, falsy)),
  },
  logical('_&&_', 'logical_and'),
  logical('_||_', 'logical_or'),
  { name: '!_', overloads: [global('logical_not', [bool], bool)], estimate: constantCost },
  {
    name: '@not_strictly_false',
    overloads: [global('not_strictly_false', [bool], bool)],
    estimate: constantCost,
  },
  { name: '_==_', overloads: [global('equals', [a, a], bool)], estimate: estimateComparison },
  { name: '_!=_', overloads: [global('not_equals', [a, a], bool)], estimate: estimateComparison },
  comparison('_<_', 'less'),
  comparison('_<=_', 'less_equals'),
  comparison('_>_', 'greater'),
  comparison('_>=_', 'greater_equals'),
  {
    name: '_+_',
    overloads: [
      global('add_bytes', [bytes, bytes], bytes),
      global('add_double', [double, double], double),
      global('add_duration_duration', [duration, duration], duration),
      global('add_duration_timestamp', [duration, timestamp], timestamp),
      global('add_timestamp_duration', [timestamp, duration], timestamp),
      global('add_int64', [int, int], int),
      global('add_list', [listOfA, listOfA], listOfA),
      global('add_string', [string, string], string),
      global('add_uint64', [uint, uint], uint),
    ],
    estimate: estimateAddition,
  },
  {
    name: '_-_',
    overloads: [
      ...arithmetic('subtract', [int, uint, double]),
      global('subtract_duration_duration', [duration, duration], duration),
      global('subtract_timestamp_duration', [timestamp, duration], timestamp),
      global('subtract_timestamp_timestamp', [timestamp, timestamp], duration),
    ],
    estimate: constantCost,
  },
  { name: '_*_', overloads: arithmetic('multiply', [int, uint, double]), estimate: constantCost },
  { name: '_/_', overloads: arithmetic('divide', [int, uint, double]), estimate: constantCost },
  { name: '_%_', overloads: arithmetic('modulo', [int, uint]), estimate: constantCost },
  {
    name: '-_',
    overloads: [global('negate_int64', [int], int), global('negate_double', [double], double)],
    estimate: constantCost,
  },
  {
    name: '_[_]',
    overloads: [global('index_list', [listOfA, int], a), global('index_map', [mapOfAToB, a], b)],
    estimate: constantCost,
  },
  {
    name: '@in',
    overloads: [global('in_list', [a, listOfA], bool), global('in_map', [a, mapOfAToB], bool)],
    estimate: estimateContainment,
  },
];

/** `&&` and `||`: the first operand is always evaluated, the second one conditionally. */
function logical(name: string, id: string): OperatorDefinition {
  return {
    name,
    overloads: [global(id, [bool, bool], bool)],
    estimate: () => ({ cost: exactly(0) }),
    operandCosts: ([first = exactly(0), second = exactly(0)]) => ({
      min: first.min,
      max: first.max + second.max,
    }),
  };
}

function comparison(name: string, prefix: string): OperatorDefinition {
  const numbers: readonly (readonly [string, CelType])[] = [
    ['int64', int],
    ['uint64', uint],
    ['double', double],
  ];
  const comparable: readonly (readonly [string, CelType])[] = [
    ['bool', bool],
    ...numbers,
    ['string', string],
    ['bytes', bytes],
    ['timestamp', timestamp],
    ['duration', duration],
  ];
  const mixed = numbers.flatMap(([left, leftType]) =>
    numbers
      .filter(([right]) => right !== left)
      .map(([right, rightType]) => global(`${prefix}_${left}_${right}`, [leftType, rightType], bool)),
  );
  return {
    name,
    overloads: comparable.map(([type, operand]) => global(`${prefix}_${type}`, [operand, operand], bool)),
    mixedOverloads: mixed,
    estimate: estimateComparison,
  };
}

function arithmetic(prefix: string, operands: readonly CelType[]): OverloadDeclaration[] {
  const suffixes = new Map<CelType, string>([
    [int, 'int64'],
    [uint, 'uint64'],
    [double, 'double'],
  ]);
  return operands.map(type => global(`${prefix}_${suffixes.get(type)}`, [type, type], type));
}

/** Strings and bytes are copied; lists only if they are sets or have keys. */
function estimateAddition(operands: Operands): CallEstimate {
  const { first, second } = operands;
  const { type } = first;
  const isSized = type?.kind === 'list' || type?.kind === 'dyn' || isText(type) || isBytes(type);
  if (!isSized) return constantCost(operands);
  const size = addRanges(first.size, second.size);
  const traversal = traversalRange(size);
  if (type?.kind !== 'list') {
    const least = type?.kind === 'dyn' ? Math.min(1, traversal.min) : traversal.min;
    return { cost: { min: least, max: Math.max(1, traversal.max) }, size };
  }
  if (type.listType === undefined) return { cost: exactly(figures.call), size };
  return {
    cost: { min: figures.call, max: figures.call + traversal.max },
    size: { min: first.size.min, max: size.max },
  };
}

/** A comparison with an empty operand costs nothing. */
function estimateComparison({ first, second }: Operands): CallEstimate {
  const smaller = Math.min(first.size.max, second.size.max);
  return { cost: { min: 0, max: smaller === 0 ? 0 : figures.comparison } };
}

function estimateContainment(operands: Operands): CallEstimate {
  const { type, size } = operands.second;
  if (type?.kind === 'map') return constantCost(operands);
  return { cost: type?.kind === 'list' ? size : eitherRange(exactly(figures.call), size) };
}
