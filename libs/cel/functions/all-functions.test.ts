import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProgram } from '../evaluate/program.ts';
import { Frame } from '../frame/frame.ts';
import type { Expression } from '../syntax/expression.ts';
import type { OverloadDeclaration } from '../types/declarations.ts';
import { formatType } from '../types/format-type.ts';
import { type CelType, type PrimitiveName, types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration } from '../values/duration.ts';
import { mapOfEntries } from '../values/map-value.ts';
import { Timestamp } from '../values/timestamp.ts';
import { typeOfValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import { ListValue, type Value } from '../values/value.ts';
import { allFunctions } from './all-functions.ts';
import type {
  CallDefinition,
  CallEstimate,
  LibraryFunction,
  Operand,
  OperatorDefinition,
} from './function-definition.ts';
import { functionNamed, operatorNamed } from './function-table.ts';
import { operators } from './operators.ts';
import { parseUrl } from './parse-url.ts';

const definitions: readonly OperatorDefinition[] = [...operators, ...allFunctions];

const samples: Readonly<Record<PrimitiveName, Value>> = {
  bool: true,
  int: 1n,
  uint: new Uint(1n),
  double: 1.5,
  string: 'UTC',
  bytes: new Uint8Array([65, 66]),
  null_type: null,
  'google.protobuf.Timestamp': new Timestamp(1_600_000_000, 0),
  'google.protobuf.Duration': new Duration(1_000_000_000n),
};

/** Arguments of functions that parse a text. */
const texts: Readonly<Record<string, string>> = {
  bool: 'true',
  int: '1',
  uint: '1',
  double: '1.5',
  timestamp: '2020-09-13T12:26:40Z',
  duration: '1s',
  url: 'https://a.example/',
};

/** Creates a value of a type; type parameters become ints. */
function createSample(type: CelType): Value {
  switch (type.kind) {
    case 'primitive':
      return samples[type.name];
    case 'list':
      return ListValue.of([createSample(type.element), createSample(type.element)]);
    case 'map':
      return mapOfEntries([[createSample(type.key), createSample(type.value)]]);
    case 'opaque':
      return parseUrl('https://a.example/b?c=d');
    case 'parameter':
      return 1n;
    default:
      throw new Error(`no value of type ${formatType(type)}`);
  }
}

function createSamples(name: string, { parameters }: OverloadDeclaration): Value[] {
  return parameters.map(type => (type === types.string ? texts[name] : undefined) ?? createSample(type));
}

function listOverloads({ overloads, mixedOverloads = [] }: OperatorDefinition): OverloadDeclaration[] {
  return [...overloads, ...mixedOverloads];
}

function createOperand(type: CelType): Operand {
  const size = { min: 2, max: 20 };
  return { expression: undefined, type, size, elementSize: size };
}

function computeEstimate({ estimate }: CallDefinition, { parameters }: OverloadDeclaration): CallEstimate {
  const zero = { min: 0, max: 0 };
  const absent: Operand = { expression: undefined, type: undefined, size: zero, elementSize: zero };
  const [first = absent, second = absent, third = absent] = parameters.map(createOperand);
  return estimate({ first, second, third });
}

/** Evaluates a program with one call of sample values. */
function computeResult(name: string, overload: OverloadDeclaration): Value {
  const { parameters, isMethod } = overload;
  const names = parameters.map((_, index) => `x${index}`);
  const operands = names.map((operand, id): Expression => ({ kind: 'identifier', id, name: operand }));
  const root: Expression = {
    kind: 'call',
    id: names.length,
    function: name,
    target: isMethod ? operands[0] : undefined,
    arguments: isMethod ? operands.slice(1) : operands,
  };
  const program = createProgram({ root, positions: new Map() }, { variables: names });
  assert.ok(!(program instanceof CelError), name);
  return program.evaluate(createSamples(name, overload), 1_000_000).value;
}

/** Returns the name of a type as `type()` reports it. */
function findTypeName(type: CelType): string | undefined {
  switch (type.kind) {
    case 'primitive':
    case 'opaque':
      return type.name;
    case 'list':
    case 'map':
    case 'type':
      return type.kind;
    default:
      return undefined;
  }
}

describe('every function and operator', () => {
  test('has a unique name and unique overload ids', () => {
    const names = definitions.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    for (const { name, overloads } of definitions) assert.ok(overloads.length > 0, name);
    const ids = definitions.flatMap(listOverloads).map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  test('is found by name', () => {
    for (const definition of allFunctions) assert.equal(functionNamed(definition.name), definition);
    for (const definition of operators) assert.equal(operatorNamed(definition.name), definition);
  });
});

for (const definition of definitions)
  describe(definition.name, () => {
    for (const overload of listOverloads(definition)) {
      test(`evaluates ${overload.id} to its type`, () => {
        const result = computeResult(definition.name, overload);
        assert.ok(!(result instanceof CelError), result instanceof CelError ? result.message : '');
        const expected = findTypeName(overload.result) ?? typeOfValue(result).name;
        assert.equal(typeOfValue(result).name, expected);
      });

      test(`estimates ${overload.id}`, () => {
        const { cost, size = cost } = computeEstimate(definition, overload);
        for (const { min, max } of [cost, size]) assert.ok(min >= 0 && max >= min, `${min} to ${max}`);
      });
    }
  });

describe('a function specialized for a constant pattern or an overload', () => {
  for (const { name, overloads, evaluate, withLiteralPattern, withOverload } of allFunctions)
    for (const overload of overloads) {
      const run = (work: LibraryFunction) => work(createSamples(name, overload), new Frame([], 1_000_000));
      if (withOverload !== undefined)
        test(`${overload.id} has the results of the general function`, () =>
          assert.deepEqual(run(withOverload(overload.id)), run(evaluate)));
      if (withLiteralPattern !== undefined)
        test(`${overload.id} has the results of the general function`, () => {
          const work = withLiteralPattern('UTC');
          assert.ok(!(work instanceof CelError));
          assert.deepEqual(run(work), run(evaluate));
        });
    }
});
