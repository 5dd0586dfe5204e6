import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Value as SpecValue } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { ExpressionError } from '../syntax/expression-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { CelError } from '../values/cel-error.ts';
import { equalValues } from '../values/equality.ts';
import { mapOfEntries } from '../values/map-value.ts';
import { typeOfValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import { ListValue, TypeValue, type Value } from '../values/value.ts';
import { createProgram, type Evaluation } from './program.ts';

/** Suites of messages and libraries that this implementation does not support. */
const leftOut = new Set([
  'proto2',
  'proto3',
  'proto2_ext',
  'enums',
  'wrappers',
  'dynamic',
  'optionals',
  'math_ext',
  'block_ext',
  'bindings_ext',
  'encoders_ext',
  'macros2',
  'network_ext',
  'eq_wrapper',
  'format',
  'format_errors',
  'quote',
  // Names in backquotes, which this version of the language does not have.
  'quoted_map_fields',
]);

const unmetered = { traverse: () => undefined };

describe('the conformance cases of the specification', () => {
  let count = 0;
  for (const { path, original } of listCases(getConformanceSuite(), '')) {
    if (original.checkOnly || needsMessages(original)) continue;
    count++;
    test(path, () => {
      const outcome = evaluate(original);
      const why = mismatch(outcome, original);
      assert.equal(why, undefined, `${original.expr}: ${why}`);
    });
  }
  test('there are more than 1,100 cases', () => assert.ok(count > 1100, String(count)));
});

type Original = IncrementalTest['original'];

function* listCases(
  suite: IncrementalTestSuite,
  path: string,
): Generator<{ path: string; original: Original }> {
  if (leftOut.has(suite.name)) return;
  const here = path === '' ? suite.name : `${path}/${suite.name}`;
  for (const inner of suite.suites) yield* listCases(inner, here);
  for (const { name, original } of suite.tests) yield { path: `${here}/${name}`, original };
}

/** Whether a case uses messages or functions of its own. */
function needsMessages(original: Original): boolean {
  const text = JSON.stringify(original, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return /TestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|GlobalEnum|NestedTestAllTypes|Timestamp\{|Duration\{|objectValue|optional|enumValue/.test(
    text,
  );
}

function evaluate(original: Original): Evaluation | CelError {
  const { expr, container, bindings, typeEnv } = original;
  const names = [...new Set([...typeEnv.map(({ name }) => name), ...Object.keys(bindings)])];
  try {
    const program = createProgram(parseExpression(expr), { variables: names, container });
    if (program instanceof CelError) return program;
    return program.evaluate(
      names.map(name => bound(bindings[name])),
      10_000_000,
    );
  } catch (error) {
    if (error instanceof ExpressionError) return new CelError(error.message);
    throw error;
  }
}

function bound(binding: Original['bindings'][string] | undefined): Value | undefined {
  return binding?.kind.case === 'value' ? specValue(binding.kind.value) : undefined;
}

/** Returns the difference between an outcome and the expected result; undefined if there is none. */
function mismatch(outcome: Evaluation | CelError, { resultMatcher }: Original): string | undefined {
  const value = outcome instanceof CelError ? outcome : outcome.value;
  const text = value instanceof CelError ? `error: ${value.message}` : shown(value);
  switch (resultMatcher.case) {
    case 'evalError':
    case 'anyEvalErrors':
      return value instanceof CelError ? undefined : `${text} instead of an error`;
    case 'value':
      return isSame(value, specValue(resultMatcher.value)) ? undefined : `${text} is not what is expected`;
    case 'typedResult': {
      const { result } = resultMatcher.value;
      return result === undefined || isSame(value, specValue(result))
        ? undefined
        : `${text} is not what is expected`;
    }
    default:
      return value === true ? undefined : `${text} instead of true`;
  }
}

function shown(value: Value): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
    : String(value);
}

function isSame(value: Value, expected: Value): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(value);
  return (
    typeOfValue(value).name === typeOfValue(expected).name && equalValues(value, expected, unmetered) === true
  );
}

function specValue({ kind }: SpecValue): Value {
  switch (kind.case) {
    case 'uint64Value':
      return new Uint(kind.value);
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'int64Value':
    case 'doubleValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'typeValue':
      return new TypeValue(kind.value);
    case 'listValue':
      return ListValue.of(kind.value.values.map(specValue));
    case 'mapValue': {
      const entries = kind.value.entries.flatMap(({ key, value }): [Value, Value][] =>
        key === undefined || value === undefined ? [] : [[specValue(key), specValue(value)]],
      );
      return mapOfEntries(entries);
    }
    default:
      return new CelError(`no value: ${kind.case}`);
  }
}
