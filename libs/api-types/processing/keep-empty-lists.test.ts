import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDefinition } from '../test-drivers/process.ts';
import { keepEmptyLists } from './keep-empty-lists.ts';

const { message } = findDefinition('jobs');

test('an object that was sent as protobuf keeps the empty lists of the old object', () => {
  const old = { spec: { podFailurePolicy: { rules: [] }, template: { spec: { containers: [] } } } };
  const object = {
    spec: { podFailurePolicy: { rules: null }, template: { spec: {} }, parallelism: 2 },
  };
  keepEmptyLists(message, object, old);
  assert.deepEqual(object, {
    spec: { podFailurePolicy: { rules: [] }, template: { spec: { containers: [] } }, parallelism: 2 },
  });
});

test('elements of lists keep the empty lists of the old element at their position', () => {
  const rule = (values: string[] | null) => ({ action: 'Ignore', onExitCodes: { operator: 'In', values } });
  const old = { spec: { podFailurePolicy: { rules: [rule([]), rule(['1'])] } } };
  const object = { spec: { podFailurePolicy: { rules: [rule(null), rule(null), rule(null)] } } };
  keepEmptyLists(message, object, old);
  assert.deepEqual(object.spec.podFailurePolicy.rules, [rule([]), rule(null), rule(null)]);
});

test('lists that were not empty, and values other than lists, are removed', () => {
  const old = { spec: { podFailurePolicy: { rules: [{ action: 'Ignore' }] }, selector: {} } };
  const object = { spec: { podFailurePolicy: { rules: null } } };
  keepEmptyLists(message, object, old);
  assert.deepEqual(object, { spec: { podFailurePolicy: { rules: null } } });
});
