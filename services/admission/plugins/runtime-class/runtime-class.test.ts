import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { runtimeClass } from './runtime-class.ts';

const toleration = { key: 'sandbox', operator: 'Exists', effect: 'NoSchedule' };
const classes: readonly JsonObject[] = [
  { metadata: { name: 'plain' }, handler: 'h' },
  { metadata: { name: 'heavy' }, handler: 'h', overhead: { podFixed: { cpu: '250m' } } },
  {
    metadata: { name: 'placed' },
    handler: 'h',
    scheduling: { nodeSelector: { runtime: 'x' }, tolerations: [toleration] },
  },
  { metadata: { name: 'odd' }, handler: 'h', scheduling: { nodeSelector: { constructor: 'x' } } },
];
const { mutate, validate } = pluginFrom(runtimeClass, {
  objects: { 'node.cluster.io/v1/runtimeclasses': classes },
});
const pod = (spec: JsonObject) =>
  createReview({ type: '/v1/pods', namespace: 'n', object: { metadata: { name: 'p' }, spec } });

const completed: readonly (readonly [JsonObject, JsonObject | undefined])[] = [
  [{}, undefined],
  [{ runtimeClassName: 'plain' }, undefined],
  [{ runtimeClassName: 'heavy' }, { overhead: { cpu: '250m' } }],
  [{ runtimeClassName: 'heavy', overhead: { cpu: '250m' } }, undefined],
  [{ runtimeClassName: 'placed' }, { nodeSelector: { runtime: 'x' }, tolerations: [toleration] }],
  [{ runtimeClassName: 'odd' }, { nodeSelector: { constructor: 'x' } }],
  [
    {
      runtimeClassName: 'placed',
      nodeSelector: { a: 'b', runtime: 'x' },
      tolerations: [{ operator: 'Exists' }],
    },
    undefined,
  ],
];
for (const [spec, added] of completed)
  test(`${JSON.stringify(spec)} is ${added ? 'completed' : 'complete'}`, async () => {
    const review = pod(spec);
    assert.equal(await mutate?.(review), added ? 'changed' : 'unchanged');
    assert.deepEqual(review.object?.['spec'], { ...spec, ...added });
    await validate?.(review);
  });

const refused: readonly JsonObject[] = [
  { runtimeClassName: 'nope' },
  { runtimeClassName: 'heavy', overhead: { cpu: '1' } },
  { runtimeClassName: 'placed', nodeSelector: { runtime: 'y' } },
];
for (const spec of refused)
  test(`${JSON.stringify(spec)} is refused`, async () => {
    await assert.rejects(async () => mutate?.(pod(spec)), {
      code: 403,
      details: { name: 'p', kind: 'pods' },
    });
  });

test('overhead can come from a runtime class only', async () => {
  for (const spec of [{ overhead: { cpu: '1' } }, { overhead: { cpu: '1' }, runtimeClassName: 'plain' }])
    await assert.rejects(async () => validate?.(pod(spec)), { code: 403 });
  await assert.rejects(async () => validate?.(pod({ runtimeClassName: 'heavy' })), { code: 403 });
});
