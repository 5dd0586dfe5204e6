import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';

const plugin = pluginFrom(persistentVolumeClaimResize, {
  objects: {
    'storage.cluster.io/v1/storageclasses': [
      { metadata: { name: 'grows' }, allowVolumeExpansion: true },
      { metadata: { name: 'stays' } },
    ],
  },
});
const claim = (storage: string, storageClassName?: string, phase = 'Bound') =>
  ({
    metadata: { name: 'c' },
    spec: { resources: { requests: { storage } }, ...(storageClassName && { storageClassName }) },
    status: { phase },
  }) as const;

const cases: readonly [string, object, object, RegExp | undefined][] = [
  ['the same size', claim('1Gi'), claim('1Gi'), undefined],
  ['the same size in other words', claim('1Gi'), claim('1024Mi'), undefined],
  ['a smaller size, which is validation’s affair', claim('1Gi'), claim('1Mi'), undefined],
  ['a class that grows', claim('1Gi', 'grows'), claim('2Gi', 'grows'), undefined],
  ['a class that does not', claim('1Gi', 'stays'), claim('2Gi', 'stays'), /allows expansion/],
  ['a class that is gone', claim('1Gi', 'gone'), claim('2Gi', 'gone'), /allows expansion/],
  ['no class', claim('1Gi'), claim('2Gi'), /allows expansion/],
  ['a claim that is not bound', claim('1Gi', 'grows', 'Pending'), claim('2Gi', 'grows', 'Pending'), /bound/],
];

for (const [what, oldObject, object, refusal] of cases)
  test(`a claim ${refusal ? 'may not' : 'may'} be changed: ${what}`, async () => {
    const review = createReview({
      type: '/v1/persistentvolumeclaims',
      operation: 'UPDATE',
      oldObject: oldObject as never,
      object: object as never,
    });
    const outcome = Promise.resolve(plugin.validate?.(review));
    if (refusal) await assert.rejects(outcome, refusal);
    else await outcome;
  });
