import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { parseWaitCondition } from './wait-condition.ts';

const withConditions = (...conditions: JsonObject[]): JsonObject => ({
  metadata: { generation: 2 },
  status: { conditions },
});

const cases: [what: string, condition: string, object: JsonObject | undefined, isMet: boolean][] = [
  ['an object that is gone', 'DELETE', undefined, true],
  ['an object that is there', 'delete', {}, false],
  ['an object that is gone', 'condition=Ready', undefined, false],
  ['an object without a status', 'condition=Ready', {}, false],
  ['a true condition', 'condition=ready', withConditions({ type: 'Ready', status: 'True' }), true],
  ['a false condition', 'condition=Ready', withConditions({ type: 'Ready', status: 'False' }), false],
  ['a false condition', 'condition=Ready=FALSE', withConditions({ type: 'Ready', status: 'False' }), true],
  ['a value with an equals sign', 'condition=A=b=c', withConditions({ type: 'A', status: 'b=c' }), true],
  ['another condition', 'condition=Ready', withConditions({ type: 'Other', status: 'True' }), false],
  [
    'a condition without a status, and one with it',
    'condition=Ready',
    withConditions({ type: 'Ready' }, { type: 'Ready', status: 'True' }),
    true,
  ],
  [
    'a condition of an older generation',
    'condition=Ready',
    withConditions({ type: 'Ready', status: 'True', observedGeneration: 1 }),
    false,
  ],
  [
    'a condition of this generation',
    'condition=Ready',
    withConditions({ type: 'Ready', status: 'True', observedGeneration: 2 }),
    true,
  ],
  [
    'a status of an older generation',
    'condition=Ready',
    {
      metadata: { generation: 2 },
      status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    false,
  ],
  ['a value', 'jsonpath={.status.phase}=Running', { status: { phase: 'Running' } }, true],
  ['another value', 'jsonpath={.status.phase}=running', { status: { phase: 'Running' } }, false],
  ['a path without braces', "jsonpath=status.phase='Running'", { status: { phase: ' Running' } }, true],
  ['a number', 'jsonpath={.status.replicas}=3', { status: { replicas: 3 } }, true],
  ['a boolean', 'jsonpath=.spec.paused=true', { spec: { paused: true } }, true],
  ['a path that leads nowhere', 'jsonpath={.status.phase}=Running', { status: {} }, false],
  ['a value of a list', 'jsonpath={.a[?(@.n>1)].v}=x', { a: [{ n: 1 }, { n: 2, v: 'x' }] }, true],
  ['an object that is gone', 'jsonpath={.a}=b', undefined, false],
  [
    'an older status of an object without generations',
    'condition=Ready',
    { status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] } },
    true,
  ],
];

for (const [what, condition, object, isMet] of cases)
  test(`${what} ${isMet ? 'meets' : 'does not meet'} ${condition}`, () =>
    assert.equal(parseWaitCondition(condition).isMet(object), isMet));

test('conditions that are not a list are an error', () =>
  assert.throws(() => parseWaitCondition('condition=Ready').isMet({ status: { conditions: 'x' } }), {
    message: /^\.status\.conditions accessor error/,
  }));

const refusals: [condition: string, message: RegExp][] = [
  ['', /^unrecognized condition: ""$/],
  ['jsonpath={.a}', /^jsonpath wait format must be --for=jsonpath='\{\.status\.readyReplicas\}'=3$/],
  ['jsonpath={.a}=b=c', /^jsonpath wait format must be/],
  ['jsonpath={.a}=', /^jsonpath wait condition cannot be empty$/],
  ['jsonpath==a', /^jsonpath expression cannot be empty$/],
  ['jsonpath={.a=b', /^unexpected path string, expected a 'name1.name2'/],
  ['jsonpath={.a[}=b', /^unterminated array$/],
];
for (const [condition, message] of refusals)
  test(`"${condition}" is refused`, () => assert.throws(() => parseWaitCondition(condition), { message }));

const misfits: [condition: string, message: string][] = [
  ['jsonpath={.a}=b', 'jsonpath leads to a nested object or list which is not supported'],
  ['jsonpath={.a.*}=b', 'given jsonpath expression matches more than one value'],
];
for (const [condition, message] of misfits)
  test(`${condition} is an error for an object that it does not fit`, () =>
    assert.throws(() => parseWaitCondition(condition).isMet({ a: { x: 1, y: 2 }, c: 'text' }), { message }));

test('only the condition delete is met by objects that do not exist', () => {
  assert.equal(parseWaitCondition('Delete').isDeletion, true);
  assert.equal(parseWaitCondition('condition=delete').isDeletion, false);
});
