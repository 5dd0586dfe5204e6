import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { alwaysPullImages } from './always-pull-images.ts';

const { mutate, validate } = pluginFrom(alwaysPullImages);
const container = (image: string, imagePullPolicy: string) => ({ name: image, image, imagePullPolicy });
const pod = (...containers: JsonObject[]): JsonObject => ({ metadata: { name: 'p' }, spec: { containers } });
const review = (object: JsonObject, more: Partial<ReviewParts> = {}) =>
  createReview({ type: '/v1/pods', namespace: 'n', object, ...more });

test('every container of a new pod has the pull policy Always', async () => {
  const made = review({
    metadata: { name: 'p' },
    spec: {
      containers: [container('a', 'Never'), container('b', 'Always')],
      initContainers: [container('c', 'IfNotPresent')],
    },
  });
  await assert.rejects(async () => validate?.(made), { code: 403 });
  assert.equal(await mutate?.(made), 'changed');
  assert.deepEqual(made.object?.['spec'], {
    containers: [container('a', 'Always'), container('b', 'Always')],
    initContainers: [container('c', 'Always')],
  });
  await validate?.(made);
  assert.equal(await mutate?.(made), 'unchanged');
});

test('an update is changed if it sets a new image', async () => {
  const oldObject = pod(container('a', 'Never'));
  const same = review(pod(container('a', 'Never')), { operation: 'UPDATE', oldObject });
  assert.equal(await mutate?.(same), 'unchanged');
  await validate?.(same);
  const other = review(pod(container('b', 'Never')), { operation: 'UPDATE', oldObject });
  await assert.rejects(async () => validate?.(other), { code: 403 });
});

test('ephemeral containers are changed too', async () => {
  const spec = { containers: [], ephemeralContainers: [container('d', 'Never')] };
  const extended = review(
    { metadata: { name: 'p' }, spec },
    { operation: 'UPDATE', subresource: 'ephemeralcontainers', oldObject: pod() },
  );
  assert.equal(await mutate?.(extended), 'changed');
  await validate?.(extended);
});
