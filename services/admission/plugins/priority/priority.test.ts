import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { priority } from './priority.ts';

const classType = 'scheduling.cluster.io/v1/priorityclasses';
const high = { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' };
const low = {
  metadata: { name: 'low' },
  value: 5,
  preemptionPolicy: 'PreemptLowerPriority',
  globalDefault: true,
};
const silent = { metadata: { name: 'silent' }, value: 7 };
const normal = { metadata: { name: 'normal' }, value: 50, globalDefault: true };

const plugin = (...classes: JsonObject[]) => pluginFrom(priority, { objects: { [classType]: classes } });
const pod = (spec: JsonObject, more: Partial<ReviewParts> = {}) =>
  createReview({ type: '/v1/pods', namespace: 'n', object: { metadata: { name: 'p' }, spec }, ...more });

const completed: readonly (readonly [title: string, JsonObject[], JsonObject, JsonObject])[] = [
  ['no class, none is default', [high], {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  [
    'no class, the lowest default one',
    [normal, low],
    {},
    { priorityClassName: 'low', priority: 5, preemptionPolicy: 'PreemptLowerPriority' },
  ],
  [
    'a class',
    [high, low],
    { priorityClassName: 'high' },
    { priorityClassName: 'high', priority: 100, preemptionPolicy: 'Never' },
  ],
  [
    'a class and its priority',
    [high],
    { priorityClassName: 'high', priority: 100, preemptionPolicy: 'Never' },
    { priorityClassName: 'high', priority: 100, preemptionPolicy: 'Never' },
  ],
  [
    'a class without a policy and one of its own',
    [silent],
    { priorityClassName: 'silent', preemptionPolicy: 'Never' },
    { priorityClassName: 'silent', priority: 7, preemptionPolicy: 'Never' },
  ],
];
for (const [title, classes, spec, expected] of completed)
  test(`a pod with ${title}`, async () => {
    const review = pod(spec);
    assert.equal(await plugin(...classes).mutate?.(review), 'changed');
    assert.deepEqual(review.object?.['spec'], expected);
  });

const refused: readonly (readonly [title: string, JsonObject])[] = [
  ['a class that is not there', { priorityClassName: 'nope' }],
  ['a priority of its own', { priority: 5 }],
  ['another priority than its class', { priorityClassName: 'high', priority: 1 }],
  ['another policy than its class', { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' }],
];
for (const [title, spec] of refused)
  test(`refused: a pod with ${title}`, async () => {
    await assert.rejects(async () => plugin(high).mutate?.(pod(spec)), {
      code: 403,
      reason: 'Forbidden',
      details: { name: 'p', kind: 'pods' },
    });
  });

test('an update keeps the omitted priority fields', async () => {
  const oldObject = { metadata: { name: 'p' }, spec: { priority: 9, preemptionPolicy: 'Never' } };
  const review = pod({ nodeName: 'a' }, { operation: 'UPDATE', oldObject });
  assert.equal(await plugin().mutate?.(review), 'changed');
  assert.deepEqual(review.object?.['spec'], { nodeName: 'a', priority: 9, preemptionPolicy: 'Never' });
  assert.equal(await plugin().mutate?.(review), 'unchanged');
});

test('at most one class is the global default', async () => {
  const review = (name: string, more: Partial<ReviewParts> = {}) =>
    createReview({ type: classType, object: { metadata: { name }, value: 1, globalDefault: true }, ...more });
  const { validate } = plugin(high, low);
  await assert.rejects(async () => validate?.(review('other')), { code: 403 });
  await assert.rejects(async () => validate?.(review('high', { operation: 'UPDATE', oldObject: high })), {
    code: 403,
  });
  await validate?.(review('low', { operation: 'UPDATE', oldObject: low }));
  await plugin(high).validate?.(review('other'));
});
