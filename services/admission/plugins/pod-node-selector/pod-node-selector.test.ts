import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { parseSelectorLabels, podNodeSelector } from './pod-node-selector.ts';

/** Only the vocabulary cluster has aliases. */
const hasAliases = vocabulary === 'cluster';

const namespace = (name: string, selector?: string): JsonObject => ({
  metadata: {
    name,
    ...(selector !== undefined && {
      annotations: { 'scheduler.alpha.cluster.io/node-selector': selector },
    }),
  },
});
/** A namespace with another selector under the name that existing clients use. */
const withOther = (name: string, selector: string, other: string): JsonObject => ({
  metadata: {
    name,
    annotations: {
      'scheduler.alpha.cluster.io/node-selector': selector,
      'scheduler.alpha.kubernetes.io/node-selector': other,
    },
  },
});
const objects = {
  '/v1/namespaces': [
    namespace('silent'),
    namespace('says', 'env=dev, zone = a'),
    namespace('free', ''),
    namespace('wrong', 'env'),
    namespace('limited', 'env=dev'),
    ...(hasAliases
      ? [
          withOther('both', 'env=dev', 'zone=a'),
          withOther('torn', 'env=dev', 'env=prod'),
          withOther('emptied', '', 'env=dev'),
        ]
      : []),
  ],
};
const configuration = {
  podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'tier=1', limited: 'env=dev,disk=ssd' },
};
const { mutate } = pluginFrom(podNodeSelector, { objects, configuration });
const pod = (inNamespace: string, nodeSelector?: JsonObject) =>
  createReview({
    type: '/v1/pods',
    namespace: inNamespace,
    object: { metadata: { name: 'p' }, spec: nodeSelector ? { nodeSelector } : {} },
  });

const cases: readonly (readonly [string, JsonObject | undefined, JsonObject | undefined])[] = [
  ['silent', undefined, { tier: '1' }],
  ['silent', { a: 'b' }, { tier: '1', a: 'b' }],
  ['says', { zone: 'a' }, { env: 'dev', zone: 'a' }],
  ['free', undefined, undefined],
  ['limited', { disk: 'ssd' }, { env: 'dev', disk: 'ssd' }],
  ...(hasAliases
    ? ([
        ['both', undefined, { env: 'dev', zone: 'a' }],
        ['emptied', undefined, { env: 'dev' }],
      ] as const)
    : []),
];
for (const [inNamespace, own, expected] of cases)
  test(`a pod of ${inNamespace} that selects ${JSON.stringify(own)}`, async () => {
    const review = pod(inNamespace, own);
    await mutate?.(review);
    assert.deepEqual(review.object?.['spec'], expected ? { nodeSelector: expected } : {});
  });

const refused: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['silent', { tier: '2' }, /tier/],
  ['says', { env: 'prod' }, /env/],
  ['limited', { disk: 'hdd' }, /disk/],
  ['wrong', {}, /cannot be read/],
  ...(hasAliases
    ? ([
        ['both', { zone: 'b' }, /zone/],
        ['torn', {}, /contradict each other for env/],
      ] as const)
    : []),
];
for (const [inNamespace, own, message] of refused)
  test(`refused: a pod of ${inNamespace} that selects ${JSON.stringify(own)}`, async () => {
    await assert.rejects(async () => mutate?.(pod(inNamespace, own)), { code: 403, message });
  });

test('an invalid configuration is refused at the start', () => {
  for (const wrong of ['x', { a: 1 }, { a: 'b' }, { a: 'b=c=d' }, { a: 'b=-' }])
    assert.throws(
      () =>
        pluginFrom(podNodeSelector, {
          objects,
          configuration: { podNodeSelectorPluginConfig: wrong as never },
        }),
      /PodNodeSelector/,
    );
});

test('labels are parsed from a selector of equalities', () => {
  assert.deepEqual(parseSelectorLabels(' a=b , c/d= '), { a: 'b', 'c/d': '' });
  assert.throws(() => parseSelectorLabels('a!=b'));
});
