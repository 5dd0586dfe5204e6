import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { defaultStorageClass } from './default-storage-class.ts';

const createClass = (name: string, creationTimestamp: string, isDefault = true) => ({
  metadata: {
    name,
    creationTimestamp,
    ...(isDefault && { annotations: { 'storageclass.cluster.io/is-default-class': 'true' } }),
  },
});
const older = createClass('older', '2020-01-01T00:00:00Z');
const newer = createClass('newer', '2021-01-01T00:00:00Z');
const twin = createClass('a-twin', '2021-01-01T00:00:00Z');
const plain = createClass('plain', '2022-01-01T00:00:00Z', false);

const cases: readonly [string, object[], object, string | undefined][] = [
  ['no class at all', [], { spec: {} }, undefined],
  ['no default class', [plain], { spec: {} }, undefined],
  ['one default class', [older, plain], { spec: {} }, 'older'],
  ['the newest of several', [older, newer], { spec: {} }, 'newer'],
  ['the first by name of the newest', [newer, twin], { spec: {} }, 'a-twin'],
  ['a class of its own', [older], { spec: { storageClassName: 'own' } }, 'own'],
  ['no class by its own wish', [older], { spec: { storageClassName: '' } }, ''],
  [
    'a class in the older annotation',
    [older],
    { metadata: { annotations: { 'volume.beta.cluster.io/storage-class': 'x' } }, spec: {} },
    undefined,
  ],
];

for (const [what, classes, claim, expected] of cases)
  test(`a claim gets its class: ${what}`, async () => {
    const plugin = pluginFrom(defaultStorageClass, {
      objects: { 'storage.cluster.io/v1/storageclasses': classes as never },
    });
    const review = createReview({
      type: '/v1/persistentvolumeclaims',
      namespace: 'n',
      object: claim as never,
    });
    const { storageClassName: before } = review.object?.['spec'] as { storageClassName?: string };
    const mutation = await plugin.mutate?.(review);
    const { storageClassName } = review.object?.['spec'] as { storageClassName?: string };
    assert.equal(storageClassName, expected);
    assert.equal(mutation, before === expected ? 'unchanged' : 'changed');
  });

test('updates and writes to status are not changed', async () => {
  const plugin = pluginFrom(defaultStorageClass, {
    objects: { 'storage.cluster.io/v1/storageclasses': [older] },
  });
  const type = '/v1/persistentvolumeclaims';
  for (const parts of [{ operation: 'UPDATE' as const }, { subresource: 'status' }])
    assert.equal(await plugin.mutate?.(createReview({ type, object: { spec: {} }, ...parts })), 'unchanged');
});
