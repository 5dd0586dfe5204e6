import type { FunctionDeclaration } from '../types/declarations.ts';
import { types } from '../types/type.ts';
import { declareFunction, global, method } from './declare.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration, dyn } = types;
const a = types.parameter('A');
const b = types.parameter('B');
const listOfA = types.list(a);
const mapOfAToB = types.map(a, b);

/** The functions of the standard that are no operators: sizes, conversions, texts and times. */
export const standardFunctionDeclarations: readonly FunctionDeclaration[] = [
  declareFunction(
    'size',
    global('size_bytes', [bytes], int),
    method('bytes_size', [bytes], int),
    global('size_list', [listOfA], int),
    method('list_size', [listOfA], int),
    global('size_map', [mapOfAToB], int),
    method('map_size', [mapOfAToB], int),
    global('size_string', [string], int),
    method('string_size', [string], int),
  ),
  declareFunction('type', global('type', [a], types.type(a))),
  declareFunction('dyn', global('to_dyn', [a], dyn)),
  declareFunction('bool', global('bool_to_bool', [bool], bool), global('string_to_bool', [string], bool)),
  declareFunction(
    'bytes',
    global('bytes_to_bytes', [bytes], bytes),
    global('string_to_bytes', [string], bytes),
  ),
  declareFunction(
    'double',
    global('double_to_double', [double], double),
    global('int64_to_double', [int], double),
    global('string_to_double', [string], double),
    global('uint64_to_double', [uint], double),
  ),
  declareFunction(
    'duration',
    global('duration_to_duration', [duration], duration),
    global('int64_to_duration', [int], duration),
    global('string_to_duration', [string], duration),
  ),
  declareFunction(
    'int',
    global('int64_to_int64', [int], int),
    global('double_to_int64', [double], int),
    global('duration_to_int64', [duration], int),
    global('string_to_int64', [string], int),
    global('timestamp_to_int64', [timestamp], int),
    global('uint64_to_int64', [uint], int),
  ),
  declareFunction(
    'string',
    global('string_to_string', [string], string),
    global('bool_to_string', [bool], string),
    global('bytes_to_string', [bytes], string),
    global('double_to_string', [double], string),
    global('duration_to_string', [duration], string),
    global('int64_to_string', [int], string),
    global('timestamp_to_string', [timestamp], string),
    global('uint64_to_string', [uint], string),
  ),
  declareFunction(
    'timestamp',
    global('timestamp_to_timestamp', [timestamp], timestamp),
    global('int64_to_timestamp', [int], timestamp),
    global('string_to_timestamp', [string], timestamp),
  ),
  declareFunction(
    'uint',
    global('uint64_to_uint64', [uint], uint),
    global('double_to_uint64', [double], uint),
    global('int64_to_uint64', [int], uint),
    global('string_to_uint64', [string], uint),
  ),
  declareFunction('contains', method('contains_string', [string, string], bool)),
  declareFunction('endsWith', method('ends_with_string', [string, string], bool)),
  declareFunction('startsWith', method('starts_with_string', [string, string], bool)),
  declareFunction(
    'matches',
    global('matches', [string, string], bool),
    method('matches_string', [string, string], bool),
  ),
  dateAccessor('getFullYear', 'year'),
  dateAccessor('getMonth', 'month'),
  dateAccessor('getDayOfYear', 'day_of_year'),
  dateAccessor('getDayOfMonth', 'day_of_month'),
  dateAccessor('getDate', 'day_of_month_1_based'),
  dateAccessor('getDayOfWeek', 'day_of_week'),
  timeAccessor('getHours', 'hours', 'hours_with_tz'),
  timeAccessor('getMinutes', 'minutes', 'minutes_with_tz'),
  timeAccessor('getSeconds', 'seconds', 'seconds_tz'),
  timeAccessor('getMilliseconds', 'milliseconds', 'milliseconds_with_tz'),
];

function dateAccessor(name: string, part: string): FunctionDeclaration {
  return declareFunction(
    name,
    method(`timestamp_to_${part}`, [timestamp], int),
    method(`timestamp_to_${part}_with_tz`, [timestamp, string], int),
  );
}

function timeAccessor(name: string, part: string, partInZone: string): FunctionDeclaration {
  return declareFunction(
    name,
    method(`timestamp_to_${part}`, [timestamp], int),
    method(`timestamp_to_${partInZone}`, [timestamp, string], int),
    method(`duration_to_${part}`, [duration], int),
  );
}
