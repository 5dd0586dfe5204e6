import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Admission, WriteUnderReview } from '@binnacle/admission-contract';
import { createCallContext } from '@binnacle/service-kit';
import { withCopies } from './review.ts';

/** Changes what it is given, as the chain does. */
const reviews: Admission = {
  async review({ object }) {
    Object.assign(object?.metadata ?? {}, { labels: { changed: 'yes' } });
    return {
      object,
      refusal: undefined,
      warnings: [],
      auditAnnotations: {},
      webhookSeconds: 0,
      preconditions: [],
      accessDemands: [],
      jointWrites: [],
    };
  },
};

function writeOf(bytes: number): WriteUnderReview {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestGroup: '',
    subresource: '',
    namespace: 'a',
    name: 'b',
    user: { username: '', uid: '', groups: [], extra: {} },
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { n: 9007199254740993n } },
    oldObject: undefined,
    options: '',
    dryRun: false,
    isRetry: false,
    bytes,
  };
}

for (const bytes of [100, 1_000_000])
  test(`what a review of ${bytes} bytes changes is not the object that was sent`, async () => {
    using call = createCallContext({ timeoutMs: 10_000 });
    const write = writeOf(bytes);
    const { object } = await withCopies(reviews).review(write, call);
    assert.deepEqual(object, { ...write.object, metadata: { name: 'b', labels: { changed: 'yes' } } });
    assert.deepEqual(write, writeOf(bytes));
  });
