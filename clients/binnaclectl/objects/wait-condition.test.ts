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
  [
    'an older status of an object without generations',
    'condition=Ready',
    { status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] } },
    true,
  ],
];

for (const [what, condition, object, isMet] of cases)
  test(`${what} ${isMet ? 'fulfils' : 'does not fulfil'} ${condition}`, () =>
    assert.equal(parseWaitCondition(condition).isMet(object), isMet));

test('conditions that are no list are an error', () =>
  assert.throws(() => parseWaitCondition('condition=Ready').isMet({ status: { conditions: 'x' } }), {
    message: /^\.status\.conditions accessor error/,
  }));

test('only deletion is fulfilled by objects that do not exist', () => {
  assert.equal(parseWaitCondition('Delete').isDeletion, true);
  assert.equal(parseWaitCondition('condition=delete').isDeletion, false);
});
