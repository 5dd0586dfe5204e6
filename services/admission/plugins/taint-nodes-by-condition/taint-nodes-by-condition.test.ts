import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

const { mutate } = pluginFrom(taintNodesByCondition);
const review = (labels: Record<string, string>, spec: JsonObject = {}) =>
  createReview({ type: '/v1/nodes', object: { metadata: { name: 'n', labels }, spec } });
const effect = 'NoSchedule';

const cases: readonly { name: string; labels: Record<string, string>; key: string }[] = [
  { name: 'a node', labels: { zone: 'a' }, key: 'node.cluster.io/not-ready' },
  {
    name: 'a node of a kubelet',
    labels: { 'kubernetes.io/os': 'linux' },
    key: 'node.kubernetes.io/not-ready',
  },
];
for (const { name, labels, key } of cases)
  test(`${name} gets the not-ready taint under the name that its kubelet uses`, async () => {
    const made = review(labels, { taints: [{ key: 'own', effect }] });
    assert.equal(await mutate?.(made), 'changed');
    assert.deepEqual(made.object?.['spec'], {
      taints: [
        { key: 'own', effect },
        { key, effect },
      ],
    });
    assert.equal(await mutate?.(made), 'unchanged');
  });
