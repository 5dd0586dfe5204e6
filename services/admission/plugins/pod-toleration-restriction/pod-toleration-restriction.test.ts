import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';

const equal = (key: string, value = 'v') => ({ key, operator: 'Equal', value, effect: 'NoSchedule' });
const exists = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });
const namespace = (name: string, annotations: Record<string, string> = {}): JsonObject => ({
  metadata: {
    name,
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`scheduler.alpha.cluster.io/${key}`, value]),
    ),
  },
});
const objects = {
  '/v1/namespaces': [
    namespace('silent'),
    namespace('adds', { defaultTolerations: JSON.stringify([equal('a')]) }),
    namespace('empty', { defaultTolerations: '', tolerationsWhitelist: '' }),
    namespace('limits', {
      tolerationsWhitelist: JSON.stringify([exists('a'), exists('node.cluster.io/memory-pressure')]),
    }),
    {
      metadata: {
        name: 'opened',
        annotations: {
          'scheduler.alpha.cluster.io/tolerationsWhitelist': '',
          'scheduler.alpha.kubernetes.io/tolerationsWhitelist': JSON.stringify([exists('a')]),
        },
      },
    },
    namespace('wrong', { defaultTolerations: '{', tolerationsWhitelist: '[1]' }),
  ],
};
const pod = (inNamespace: string, spec: JsonObject, more: Partial<ReviewParts> = {}) =>
  createReview({
    type: '/v1/pods',
    namespace: inNamespace,
    object: { metadata: { name: 'p' }, spec },
    ...more,
  });
const plain = pluginFrom(podTolerationRestriction, { objects });
const configured = pluginFrom(podTolerationRestriction, {
  objects,
  configuration: { kind: 'Configuration', default: [equal('c')], whitelist: [exists('c')] },
});

const cases: readonly (readonly [typeof plain, string, JsonObject[], JsonObject[]])[] = [
  [plain, 'silent', [], []],
  [plain, 'silent', [equal('x')], [equal('x')]],
  [plain, 'adds', [], [equal('a')]],
  [plain, 'adds', [equal('b')], [equal('a'), equal('b')]],
  [plain, 'adds', [exists('a')], [exists('a')]],
  [configured, 'silent', [], [equal('c')]],
  [configured, 'empty', [equal('b')], [equal('b')]],
];
for (const [plugin, inNamespace, own, expected] of cases)
  test(`a pod of ${inNamespace} that tolerates ${JSON.stringify(own)}`, async () => {
    const review = pod(inNamespace, { tolerations: own });
    await plugin.mutate?.(review);
    assert.deepEqual(review.object?.['spec'], { tolerations: expected });
    await plugin.validate?.(review);
  });

test('a pod with requests tolerates memory pressure', async () => {
  const spec = { containers: [{ resources: { requests: { cpu: '1' } } }] };
  const review = pod('silent', spec);
  assert.equal(await plain.mutate?.(review), 'changed');
  assert.deepEqual(review.object?.['spec'], {
    ...spec,
    tolerations: [exists('node.cluster.io/memory-pressure')],
  });
});

test('a whitelist applies under either annotation name', async () => {
  await plain.validate?.(pod('opened', { tolerations: [equal('a')] }));
  await assert.rejects(async () => plain.validate?.(pod('opened', { tolerations: [equal('b')] })), {
    code: 403,
  });
});

test('tolerations outside the whitelist are refused, in updates too', async () => {
  await plain.validate?.(pod('limits', { tolerations: [equal('a')] }));
  for (const operation of ['CREATE', 'UPDATE'] as const)
    await assert.rejects(
      async () => plain.validate?.(pod('limits', { tolerations: [equal('b')] }, { operation })),
      { code: 403 },
    );
  await assert.rejects(async () => configured.validate?.(pod('silent', { tolerations: [equal('b')] })), {
    code: 403,
  });
});

test('annotations that are not tolerations cause refusals', async () => {
  await assert.rejects(async () => plain.mutate?.(pod('wrong', {})), { code: 403 });
  await assert.rejects(async () => plain.validate?.(pod('wrong', { tolerations: [equal('a')] })), {
    code: 403,
  });
});

test('an invalid configuration is refused at the start', () => {
  for (const configuration of [{ default: {} }, { whitelist: ['x'] }, { other: [] }])
    assert.throws(
      () => pluginFrom(podTolerationRestriction, { objects, configuration: configuration as JsonObject }),
      /PodTolerationRestriction/,
    );
});
