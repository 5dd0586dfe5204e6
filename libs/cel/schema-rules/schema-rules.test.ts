import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FieldError, fieldPath, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { runCounted } from '@binnacle/event-loop/testing';
import { definitionRuleErrors } from './definition-rules.ts';
import { compileSchemaRules, type RuleBudgets } from './schema-rules.ts';

const validations = (...rules: readonly string[]) => ({
  'x-cluster-validations': rules.map(rule => ({ rule })),
});
const integer = { type: 'integer' };
const createList = (items: JsonObject, more: JsonObject = {}) => ({ type: 'array', items, ...more });
const createObject = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  ...more,
});

const listErrors = (schema: JsonObject, object: JsonValue, old?: JsonValue) =>
  (compileSchemaRules(schema)?.errors(object, old) ?? []).map(({ field, detail }) => `${field}: ${detail}`);

describe('the rules of a schema over an object', () => {
  const odd = { ...integer, ...validations('self % 2 == 1') };
  const grows = { ...integer, ...validations('self > oldSelf') };
  const failed = (field: string, rule: string) => `${field}: failed rule: ${rule}`;
  const rows: {
    what: string;
    schema: JsonObject;
    object: JsonValue;
    old?: JsonValue;
    errors: string[];
  }[] = [
    {
      what: 'run at every element and entry',
      schema: createObject({
        a: createList(createList(odd)),
        b: { type: 'object', additionalProperties: odd },
      }),
      object: { a: [[1, 2], [4]], b: { x: 1, y: 6 } },
      errors: [
        failed('a[0][1]', 'self % 2 == 1'),
        failed('a[1][0]', 'self % 2 == 1'),
        failed('b[y]', 'self % 2 == 1'),
      ],
    },
    {
      what: 'leave alone what is absent or null',
      schema: createObject({ a: { ...odd, nullable: true }, b: odd }),
      object: { a: null },
      errors: [],
    },
    {
      what: 'about the value before run where there was one',
      schema: createObject({ a: grows, b: grows }),
      object: { a: 1, b: 1 },
      old: { a: 1 },
      errors: [failed('a', 'self > oldSelf')],
    },
    {
      what: 'know elements of keyed lists again, wherever they stand',
      schema: createObject({
        a: createList(createObject({ k: { type: 'string' }, v: grows }), {
          'x-cluster-list-type': 'map',
          'x-cluster-list-map-keys': ['k'],
        }),
      }),
      object: {
        a: [
          { k: 'y', v: 2 },
          { k: 'x', v: 2 },
        ],
      },
      old: {
        a: [
          { k: 'x', v: 1 },
          { k: 'y', v: 2 },
        ],
      },
      errors: [failed('a[0].v', 'self > oldSelf')],
    },
    {
      what: 'know elements of other lists by nothing',
      schema: createObject({ a: createList(grows) }),
      object: { a: [1] },
      old: { a: [1] },
      errors: [],
    },
    {
      what: 'see members under names that would mean something else',
      schema: createObject({ 'a-b': integer, in: integer }, validations('self.a__dash__b < self.__in__')),
      object: { 'a-b': 2, in: 1 },
      errors: [failed('<nil>', 'self.a__dash__b < self.__in__')],
    },
    {
      what: 'see kind and name of a whole object',
      schema: createObject({}, validations("self.kind == 'A' && self.metadata.name == 'b'")),
      object: { kind: 'A', apiVersion: 'v1', metadata: { name: 'b' } },
      errors: [],
    },
  ];
  for (const { what, schema, object, old, errors } of rows)
    test(what, () => assert.deepEqual(listErrors(schema, object, old), errors));

  test('that fail are reported with the reason', () => {
    const [error = ''] = listErrors(createObject({ a: integer }, validations('1 / self.a > 0')), { a: 0 });
    assert.match(error, /^<nil>: the rule "1 \/ self.a > 0" failed: .*division by zero/);
  });

  test('that do not compile are reported as errors', () => {
    const [error = ''] = listErrors(createObject({ a: integer }, validations('self.b > 0')), { a: 0 });
    assert.match(error, /undefined field 'b'/);
  });

  test('a schema without rules has none', () => {
    assert.equal(compileSchemaRules(createObject({ a: createList(integer) })), undefined);
  });

  test('stop at the end of their budget, with one error about it', () => {
    const rules = compileSchemaRules(createObject({ a: createList(odd) }));
    const object = { a: Array.from({ length: 100 }, () => 2) };
    const details = (budgets: object) =>
      rules?.errors(object, undefined, budgets).map(({ detail }) => detail);
    const spent = details({ object: 20 }) ?? [];
    assert.ok(spent.length > 1 && spent.length < 20);
    assert.match(spent.at(-1) ?? '', /running out of cost budget/);
    assert.equal(spent.filter(detail => /budget/.test(detail)).length, 1);
    assert.deepEqual(details({ call: 1 }), [
      'no further validation rules will be run due to call cost exceeds limit for rule: self % 2 == 1',
    ]);
  });
});

describe('the rules of a definition', () => {
  const found = (schema: JsonObject) =>
    definitionRuleErrors(schema, fieldPath('s')).map(
      ({ type, field, detail }) => `${type} ${field} ${detail}`,
    );

  test('are valid if they compile at their position', () => {
    assert.deepEqual(found(createObject({ a: createList({ ...integer, ...validations('self > 0') }) })), []);
  });

  const wrong: [what: string, schema: JsonObject, error: RegExp][] = [
    ...[
      "self.matches('(')",
      "matches(self, '(')",
      "self.find('[') == ''",
      "self.findAll('a{2,1}').size() == 0",
    ].map((rule): [string, JsonObject, RegExp] => [
      `a constant pattern that is none: ${rule}`,
      createObject({ a: { type: 'string', maxLength: 10, ...validations('true', rule) } }),
      /^Invalid s\.properties\[a\]\.x-cluster-validations\[1\]\.rule program instantiation failed: /,
    ]),
    [
      'no yes or no, below an element',
      createObject({ a: createList({ ...integer, ...validations('self + 1') }) }),
      /^Invalid s\.properties\[a\]\.items\.x-cluster-validations\[0\]\.rule .*bool/,
    ],
    [
      'the value before an element of a list that is not keyed',
      createObject({ a: createList({ ...integer, ...validations('self > oldSelf') }) }),
      /^Invalid s\.properties\[a\]\.items\.x-cluster-validations\[0\]\.rule .*uncorrelatable/,
    ],
    [
      'a loop in each element of a long list',
      createObject({
        a: createList({ ...createList(integer), ...validations('self.all(x, self.all(y, x >= y))') }),
      }),
      /^Forbidden s\.properties\[a\]\.items\.x-cluster-validations\[0\]\.rule estimated rule cost exceeds budget by factor of more than 100x/,
    ],
  ];
  for (const [what, schema, error] of wrong) test(what, () => assert.match(found(schema)[0] ?? '', error));

  test('of a too high total cost are reported with their cost', () => {
    const dear = {
      type: 'array',
      maxItems: 2000,
      items: integer,
      ...validations('self.all(x, self.all(y, x >= y))'),
    };
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
    const one = found(createObject({ p: { ...dear, maxItems: 1000 } }));
    assert.deepEqual(one, []);
    const all = found(
      createObject(Object.fromEntries(names.map(name => [name, { ...dear, maxItems: 1400 }]))),
    );
    assert.ok(all.some(text => text.startsWith('Forbidden s estimated rule cost total')));
    assert.equal(all.filter(text => text.includes('contributed to')).length, names.length);
  });
});

test('expensive rules are evaluated in steps with the same errors', () => {
  const even = { type: 'string', ...validations('self.matches("^(0|2|4)+$")', 'size(self) < 2') };
  const rules = compileSchemaRules(
    createObject({ list: createList(even), map: { type: 'object', additionalProperties: even } }),
  );
  assert.ok(rules);
  const object = {
    list: Array.from({ length: 3000 }, (_, i) => String(i)),
    map: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, String(i)])),
  };
  const budgets: RuleBudgets[] = [{}, { object: 15_000 }, { object: 9000 }, { call: 2 }];
  for (const budget of budgets) {
    const work: FieldError[] | Generator<void, FieldError[]> = rules.begin(object, undefined, budget);
    const found: { result: FieldError[]; steps: number } = Array.isArray(work)
      ? { result: work, steps: 1 }
      : runCounted(work);
    assert.deepEqual(found.result, rules.errors(object, undefined, budget));
    if (budget === budgets[0]) assert.ok(found.steps > 2, `${found.steps} steps`);
  }
  assert.deepEqual(rules.begin({ list: ['1'] }, undefined), rules.errors({ list: ['1'] }, undefined));
});
