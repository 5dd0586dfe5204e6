import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
  type IncrementalTest,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { SemanticAdorner, toDebugString } from '@bufbuild/cel-spec/testdata/to-debug-string.js';
import { functionTable } from '../functions/function-table.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { mixedFunctionTable } from '../test-drivers/mixed-function-table.ts';
import { createObjectTypes, listEnumValues } from '../test-drivers/reference-messages.ts';
import { createReferenceTree } from '../test-drivers/reference-tree.ts';
import { createReferenceFacts, typeFromReference, typeFromText } from '../test-drivers/reference-types.ts';
import { standardCases } from '../test-drivers/standard-cases.ts';
import { formatType } from '../types/format-type.ts';
import { type CelType, type ObjectType, types } from '../types/type.ts';
import { compileText } from './check-expression.ts';
import { createEnvironment, type Environment } from './environment.ts';

const cases = standardCases(
  getParsingSuite(),
  getCheckingSuite(),
  getComprehensionSuite(),
  getConformanceSuite(),
);

const described = [...getTestRegistry()];
const objectTypes = createObjectTypes(described.filter(type => type.kind === 'message'));
const enumValues = listEnumValues(described.filter(type => type.kind === 'enum'));

/** Creates the environment of a case: its own declarations, and variables whose types its checked tree shows. */
function createCaseEnvironment({ original, checkedAst = '' }: IncrementalTest): Environment {
  const shown = [...checkedAst.matchAll(/([a-z][\w.]*)~([^\n^]*)\^\1(?=[.,)\n]|$)/g)].map(
    ([, name = '', text = '']) => [name, typeFromText(text)] as const,
  );
  const declared = original.typeEnv.map(({ name, declKind }) => {
    const type = declKind.case === 'ident' ? declKind.value.type : undefined;
    return [name, type && typeFromReference(type)] as const;
  });
  const variables = new Map<string, CelType>();
  for (const [name, type] of [...shown, ...declared]) if (type !== undefined) variables.set(name, type);
  // Protobuf messages may have the same name as a loop variable.
  for (const [name, type] of shown) if (type === undefined) variables.delete(name);
  for (const [name, type] of enumValues) variables.set(name, type);
  return createEnvironment({ variables, objectTypes, container: original.container, mixedLiterals: true });
}

/** Optional values were added in a later release, from which these expressions come. */
const laterOverload = /\|?\boptional_\w+/g;
/** Declared with the comparisons that the test leaves out. */
const otherwise = 'lists.filter(x, x > 1.5)';

function findOutcome(testCase: IncrementalTest): string {
  const { expr } = testCase.original;
  try {
    const { parsed, facts } = compileText(expr, createCaseEnvironment(testCase));
    // The debug form expects generated messages; these are plain objects of the same form.
    const adorner = new SemanticAdorner(createReferenceFacts(facts) as never);
    return toDebugString(createReferenceTree(parsed.root, facts.names) as never, adorner);
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** Protobuf messages that are values of other types, functions declared by single cases, and later libraries. */
const outside =
  /^(?:\.?(?:cel\.expr|google)\b.*|TestAllTypes|\w+Value|Value|test|testAllTypes|pb2|msg|proto|a|x)$|^(?:base64|cel|encode|fg_s|fi_s_s|fn|format|math|myfun|null_int|optional|set|sort|strings|tuple)$/;

/** Field types that API objects do not have. */
const outsideType = /wrapper|any/;

suite('the checker', () => {
  test('finds the types and overloads of the specification', () => {
    let same = 0;
    for (const { path, test: testCase } of cases) {
      const { ast, checkedAst, original } = testCase;
      if (ast === undefined || checkedAst === undefined || original.expr === otherwise) continue;
      const outcome = findOutcome(testCase);
      const name = /undeclared reference to '([^']*)'/.exec(outcome)?.[1];
      if ((name !== undefined && outside.test(name)) || outsideType.test(checkedAst)) continue;
      assert.equal(outcome, checkedAst.replaceAll(laterOverload, ''), `${path}: ${original.expr}`);
      same++;
    }
    assert.equal(same, 1484);
  });

  test('refuses the expressions that the specification refuses, with the same first error', () => {
    let refused = 0;
    let alike = 0;
    for (const { path, test: testCase } of cases) {
      const { ast, checkedAst, error = '', original } = testCase;
      if (ast === undefined || checkedAst !== undefined || original.typeEnv.length > 0) continue;
      const outcome = findOutcome(testCase);
      assert.match(outcome, /^ERROR: /, `${path}: ${original.expr}`);
      refused++;
      if (outcome.split('\n')[0] === error.split('\n')[0]) alike++;
    }
    assert.equal(refused, 358);
    assert.equal(alike, 306);
  });
});

const widget: ObjectType = {
  kind: 'object',
  name: 'Widget',
  field: name => ({ n: { type: types.int, member: 'n' }, next: { type: widget, member: 'next' } })[name],
};

suite('an environment of objects', () => {
  const variables: readonly (readonly [string, CelType])[] = [
    ['self', widget],
    ['texts', types.list(types.string)],
    ['any', types.dyn],
    ['a.b', types.int],
  ];
  const environment = createEnvironment({ variables });

  const fine: readonly (readonly [string, string])[] = [
    ['self.next.next.n + 1', 'int'],
    ['has(self.next.n)', 'bool'],
    ['[1, 2, any]', 'list(dyn)'],
    ["{'a': 1, 'b': 2}", 'map(string, int)'],
    ['any.f(0) == 1 ? any.x : 2', 'dyn'],
    ['a.b + 1', 'int'],
    ['texts.map(t, t.size()).max()', 'int'],
    ['[].map(x, x + 1)', 'list(int)'],
    ['self == null', 'bool'],
    ['any < 1 && any < 1.0', 'bool'],
    ['type(self) == type(any)', 'bool'],
    ["url('http://a').getQuery()", 'map(string, list(string))'],
  ];
  for (const [text, type] of fine)
    test(`${text} is of type ${type}`, () => {
      const functions = text.includes('f(0)')
        ? new Map([
            ...functionTable,
            [
              'f',
              {
                name: 'f',
                overloads: [
                  { id: 'f_int', parameters: [types.string, types.int], result: types.int, isMethod: true },
                ],
              },
            ],
          ])
        : functionTable;
      assert.equal(formatType(compileText(text, { ...environment, functions }).type), type);
    });

  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ['self.m', ["1:5: undefined field 'm'"]],
    ['has(self.m)', ["1:4: undefined field 'm'"]],
    ['other', ["1:1: undeclared reference to 'other' (in container '')"]],
    ['self.f()', ["1:7: undeclared reference to 'f' (in container '')"]],
    ['1 < 1.0', ["1:3: found no matching overload for '_<_' applied to '(int, double)'"]],
    ['texts.sum()', ["1:10: found no matching overload for 'sum' applied to 'list(string).()'"]],
    ["self.n == 'a'", ["1:8: found no matching overload for '_==_' applied to '(int, string)'"]],
    ['texts == null', ["1:7: found no matching overload for '_==_' applied to '(list(string), null)'"]],
    ["[1, 'a']", ["1:5: expected type 'int', found 'string'"]],
    [
      "{1: 'a', 'b': 2}",
      ["1:10: expected type 'int', found 'string'", "1:15: expected type 'string', found 'int'"],
    ],
    ['self.all(x, x)', ["1:1: values of type 'Widget' are not lists or maps to loop over"]],
    ['texts.all(t, t)', ["1:10: found no matching overload for '_&&_' applied to '(bool, string)'"]],
    ['self.n.m', ["1:7: values of type 'int' have no fields"]],
    ['Widget{n: 1}', ["1:7: undeclared reference to 'Widget' (in container '')"]],
    ['int{}', ["1:4: 'int' is not the name of a message"]],
    ['self.a + self.b', ["1:5: undefined field 'a'", "1:14: undefined field 'b'"]],
  ];
  for (const [text, issues] of wrong)
    test(`${text} is refused`, () => {
      assert.throws(
        () => compileText(text, environment),
        (error: unknown) => {
          assert.ok(error instanceof ExpressionError);
          const lines = error.message.split('\n').filter(line => line.startsWith('ERROR: '));
          assert.deepEqual(
            lines,
            issues.map(issue => `ERROR: <input>:${issue}`),
          );
          return true;
        },
      );
    });

  test('messages declared by an environment can be constructed', () => {
    const named = { ...environment, objectTypes: new Map([['Widget', widget]]) };
    assert.equal(compileText('Widget{n: 1, next: Widget{}}', named).type, widget);
    assert.throws(() => compileText("Widget{n: 'a'}", named), /expected type 'int', found 'string'/);
    assert.throws(() => compileText('Widget{m: 1}', named), /undefined field 'm'/);
  });

  test('numbers of different types can be compared where the environment declares it', () => {
    const { type } = compileText('1 < 1.0', { ...environment, functions: mixedFunctionTable });
    assert.equal(type, types.bool);
  });

  test('an expression keeps the type object that was declared for it', () => {
    const limited: CelType = { kind: 'primitive', name: 'string', origin: { maxLength: 3 } };
    const places = createEnvironment({ variables: [['list', types.list(types.list(limited))]] });
    const { type } = compileText('list[0][1]', places);
    assert.equal(type, limited);
    const loop = compileText('list.all(one, one.all(two, two.size() < 3))', places);
    assert.ok([...loop.facts.types.values()].includes(limited));
  });

  const doubling: readonly (readonly [string, string])[] = [
    ['maps of maps', `[1]${'.map(x, {x: x})'.repeat(60)}`],
    ['maps of maps, compared', ['', ''].map(() => `[1]${'.map(x, {x: x})'.repeat(60)}`).join(' == ')],
    [
      'parameters of parameters',
      Array.from({ length: 60 }, (_, level) => `[].all(x${level}, `).join('') +
        Array.from({ length: 59 }, (_, level) => `[x${level}, {x${level + 1}: x${level + 1}}] == []`).join(
          ' && ',
        ) +
        ')'.repeat(60),
    ],
  ];
  for (const [what, text] of doubling)
    test(`exponentially growing types are refused: ${what}`, () => {
      assert.throws(() => compileText(text, environment), /types are too complex/);
    });

  test('the message about a large type is limited', () => {
    assert.throws(
      () => compileText(`[1]${'.map(x, {x: x})'.repeat(14)} == 1`, environment),
      (error: unknown) => error instanceof ExpressionError && error.message.length < 50_000,
    );
  });

  test('the number of reported issues is limited', () => {
    assert.throws(
      () => compileText(`[${'x, '.repeat(1000)}]`, environment),
      (error: unknown) => error instanceof ExpressionError && error.issues.length === 20,
    );
  });
});
