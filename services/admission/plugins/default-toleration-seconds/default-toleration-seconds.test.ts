import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understood } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, defaultPluginSettings, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { addDefaultTolerations, defaultTolerationSeconds } from './default-toleration-seconds.ts';

const settings = {
  ...defaultPluginSettings,
  defaultNotReadyTolerationSeconds: 20,
  defaultUnreachableTolerationSeconds: 30,
};
const notReady = {
  key: 'node.cluster.io/not-ready',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 20,
};
const unreachable = { ...notReady, key: 'node.cluster.io/unreachable', tolerationSeconds: 30 };

const cases: readonly (readonly [title: string, own: JsonObject[], added: JsonObject[]])[] = [
  ['nothing of its own', [], [notReady, unreachable]],
  ['an own time for one taint', [{ ...notReady, tolerationSeconds: 5 }], [unreachable]],
  ['every effect of one taint', [{ key: unreachable.key, operator: 'Exists' }], [notReady]],
  ['everything', [{ operator: 'Exists' }], []],
  [
    'everything that keeps pods away',
    [{ operator: 'Exists', effect: 'NoSchedule' }],
    [notReady, unreachable],
  ],
];

const inEitherName = understood.taints.notReady.map((key): (typeof cases)[number] => [
  key,
  [{ ...notReady, key }],
  [unreachable],
]);

for (const [title, own, added] of [...cases, ...inEitherName])
  test(`a pod that tolerates ${title} gets ${added.length} tolerations`, () => {
    const spec: JsonObject = { tolerations: structuredClone(own) };
    assert.equal(addDefaultTolerations(spec, settings), added.length > 0);
    assert.deepEqual(spec['tolerations'], [...own, ...added]);
  });

test('only pods get default tolerations', async () => {
  const { mutate } = pluginFrom(defaultTolerationSeconds);
  const pod = createReview({
    type: '/v1/pods',
    namespace: 'n',
    object: { metadata: { name: 'p' }, spec: {} },
  });
  assert.equal(await mutate?.(pod), 'changed');
  const status = createReview({
    type: '/v1/pods',
    subresource: 'status',
    namespace: 'n',
    object: { spec: {} },
  });
  assert.equal(await mutate?.(status), 'unchanged');
  assert.equal(await mutate?.(createReview({ type: '/v1/configmaps', object: {} })), 'unchanged');
});
