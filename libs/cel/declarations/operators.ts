import type { FunctionDeclaration, OverloadDeclaration } from '../types/declarations.ts';
import { type CelType, types } from '../types/type.ts';
import { declareFunction, global } from './declare.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration } = types;
const a = types.parameter('A');
const b = types.parameter('B');
const listOfA = types.list(a);
const mapOfAToB = types.map(a, b);

/** The operators of the language, under the names that the tree has for them. */
export const operatorDeclarations: readonly FunctionDeclaration[] = [
  declareFunction('_?_:_', global('conditional', [bool, a, a], a)),
  declareFunction('_&&_', global('logical_and', [bool, bool], bool)),
  declareFunction('_||_', global('logical_or', [bool, bool], bool)),
  declareFunction('!_', global('logical_not', [bool], bool)),
  declareFunction('@not_strictly_false', global('not_strictly_false', [bool], bool)),
  declareFunction('_==_', global('equals', [a, a], bool)),
  declareFunction('_!=_', global('not_equals', [a, a], bool)),
  declareFunction('_<_', ...comparisons('less')),
  declareFunction('_<=_', ...comparisons('less_equals')),
  declareFunction('_>_', ...comparisons('greater')),
  declareFunction('_>=_', ...comparisons('greater_equals')),
  declareFunction(
    '_+_',
    global('add_bytes', [bytes, bytes], bytes),
    global('add_double', [double, double], double),
    global('add_duration_duration', [duration, duration], duration),
    global('add_duration_timestamp', [duration, timestamp], timestamp),
    global('add_timestamp_duration', [timestamp, duration], timestamp),
    global('add_int64', [int, int], int),
    global('add_list', [listOfA, listOfA], listOfA),
    global('add_string', [string, string], string),
    global('add_uint64', [uint, uint], uint),
  ),
  declareFunction(
    '_-_',
    ...arithmetic('subtract', [int, uint, double]),
    global('subtract_duration_duration', [duration, duration], duration),
    global('subtract_timestamp_duration', [timestamp, duration], timestamp),
    global('subtract_timestamp_timestamp', [timestamp, timestamp], duration),
  ),
  declareFunction('_*_', ...arithmetic('multiply', [int, uint, double])),
  declareFunction('_/_', ...arithmetic('divide', [int, uint, double])),
  declareFunction('_%_', ...arithmetic('modulo', [int, uint])),
  declareFunction('-_', global('negate_int64', [int], int), global('negate_double', [double], double)),
  declareFunction('_[_]', global('index_list', [listOfA, int], a), global('index_map', [mapOfAToB, a], b)),
  declareFunction('@in', global('in_list', [a, listOfA], bool), global('in_map', [a, mapOfAToB], bool)),
];

/** Comparisons of numbers of two types: not declared where existing clients expect them to be refused. */
export const mixedComparisonDeclarations: readonly FunctionDeclaration[] = [
  declareFunction('_<_', ...mixedComparisons('less')),
  declareFunction('_<=_', ...mixedComparisons('less_equals')),
  declareFunction('_>_', ...mixedComparisons('greater')),
  declareFunction('_>=_', ...mixedComparisons('greater_equals')),
];

function comparisons(prefix: string): OverloadDeclaration[] {
  const comparable: readonly (readonly [string, CelType])[] = [
    ['bool', bool],
    ['int64', int],
    ['uint64', uint],
    ['double', double],
    ['string', string],
    ['bytes', bytes],
    ['timestamp', timestamp],
    ['duration', duration],
  ];
  return comparable.map(([name, type]) => global(`${prefix}_${name}`, [type, type], bool));
}

function mixedComparisons(prefix: string): OverloadDeclaration[] {
  const numbers: readonly (readonly [string, CelType])[] = [
    ['int64', int],
    ['uint64', uint],
    ['double', double],
  ];
  return numbers.flatMap(([left, leftType]) =>
    numbers
      .filter(([right]) => right !== left)
      .map(([right, rightType]) => global(`${prefix}_${left}_${right}`, [leftType, rightType], bool)),
  );
}

function arithmetic(prefix: string, operands: readonly CelType[]): OverloadDeclaration[] {
  const suffixes = new Map<CelType, string>([
    [int, 'int64'],
    [uint, 'uint64'],
    [double, 'double'],
  ]);
  return operands.map(type => global(`${prefix}_${suffixes.get(type)}`, [type, type], type));
}
