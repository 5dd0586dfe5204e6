import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WriteUnderReview } from '@binnacle/admission-contract';
import { createTypeRegistry } from '@binnacle/api-types';
import { createCallContext } from '@binnacle/rpc';
import { forbidden } from '@binnacle/status-errors';
import { createAdmissionChain } from '../chain/admission-chain.ts';
import { createAdmissionMetrics } from '../chain/admission-metrics.ts';
import type { AdmissionPlugin, Mutation } from '../chain/plugin.ts';
import { objectToChange } from '../chain/review.ts';
import { deepFrozen } from '../test-drivers/plugin-fixture.ts';
import { createReviews } from './review.ts';

const registry = createTypeRegistry();

function reviewsBy(...plugins: readonly AdmissionPlugin[]) {
  return createReviews({
    customTypes: {
      find: ({ group, version, resource }) => registry.resource(group, version, resource),
      preconditionsFor: () => [],
    },
    chain: createAdmissionChain(
      plugins.map(plugin => ({ plugin })),
      createAdmissionMetrics(undefined),
    ),
  });
}

function createWrite(bytes: number): WriteUnderReview {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestGroup: '',
    subresource: '',
    namespace: 'a',
    name: 'b',
    user: { username: '', uid: '', groups: [], extra: {} },
    object: deepFrozen({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'b', namespace: 'a' },
      data: { n: 'one' },
    }),
    oldObject: undefined,
    options: '',
    dryRun: false,
    isRetry: false,
    bytes,
  };
}

const labelling: AdmissionPlugin = {
  name: 'Labelling',
  mutate(review) {
    objectToChange(review).metadata.labels = { changed: 'yes' };
    return 'changed';
  },
};
const silent: AdmissionPlugin = { name: 'Silent', mutate: () => 'unchanged', validate() {} };

for (const bytes of [100, 1_000_000])
  describe(`a write of ${bytes} bytes`, () => {
    using call = createCallContext({ timeoutMs: 10_000 });

    test('a plugin changes a copy of the object that was sent', async () => {
      const write = createWrite(bytes);
      const { object } = await reviewsBy(silent, labelling, labelling).review(write, call);
      assert.deepEqual(object, {
        ...write.object,
        metadata: { name: 'b', namespace: 'a', labels: { changed: 'yes' } },
      });
      assert.deepEqual(write, createWrite(bytes));
    });

    test('an unchanged object is not sent back', async () => {
      assert.equal((await reviewsBy(silent).review(createWrite(bytes), call)).object, undefined);
    });
  });

test('a review without asynchronous plugins returns no promise', () => {
  using call = createCallContext({ timeoutMs: 10_000 });
  const answer = reviewsBy(silent, labelling).review(createWrite(100), call);
  assert.ok(!(answer instanceof Promise));
  assert.ok(
    reviewsBy({ name: 'Waiting', async validate() {} }).review(createWrite(100), call) instanceof Promise,
  );
});

test('a plugin that changes the shared object fails', () => {
  using call = createCallContext({ timeoutMs: 10_000 });
  const careless: AdmissionPlugin = {
    name: 'Careless',
    mutate({ object }) {
      if (object !== undefined) object.metadata.name = 'c';
      return 'changed';
    },
  };
  assert.throws(() => reviewsBy(careless).review(createWrite(100), call), TypeError);
});

describe('a refusal', () => {
  const refusal = forbidden({ group: '', resource: 'configmaps' }, 'b', 'no');
  const refusing: AdmissionPlugin = {
    name: 'Refusing',
    validate() {
      throw refusal;
    },
  };
  const remarking: AdmissionPlugin = {
    name: 'Remarking',
    async mutate({ warnings }): Promise<Mutation> {
      warnings.push('careful');
      return 'unchanged';
    },
  };

  test('is thrown if there is nothing else to return', () => {
    using call = createCallContext({ timeoutMs: 10_000 });
    assert.throws(() => reviewsBy(refusing).review(createWrite(100), call), refusal);
  });

  test('is returned together with warnings and audit annotations', async () => {
    using call = createCallContext({ timeoutMs: 10_000 });
    const answer = await reviewsBy(remarking, refusing).review(createWrite(100), call);
    assert.equal(answer.refusal, refusal);
    assert.deepEqual([answer.warnings, answer.object], [['careful'], undefined]);
  });
});
