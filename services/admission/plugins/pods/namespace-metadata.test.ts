import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createCallContext } from '@binnacle/rpc';
import { type Revision, storageKeyFrom } from '@binnacle/storage-contract';
import type { SeenObject } from '../../sources/objects.ts';
import { currentNamespaceMetadata, namespaceMetadata } from './namespace-metadata.ts';

const key = storageKeyFrom('/core/namespaces//n');

/** The namespace at a revision, which its only label tells. */
function seenAt(revision: Revision): SeenObject {
  const parse = (): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n', labels: { at: String(revision) } },
  });
  const seen: SeenObject = {
    key,
    namespace: '',
    name: 'n',
    revision,
    parse,
    derived: (_slot, compute) => compute(seen),
  };
  return seen;
}

const namespaces = { find: async () => seenAt(5), findCurrent: async () => seenAt(9) };

test('a namespace is read from the cache unless the review has a newer revision', async () => {
  using call = createCallContext({ timeoutMs: 60_000 });
  for (const [preconditions, expected] of [
    [[], '5'],
    [[{ key, revision: 5 }], '5'],
    [[{ key, revision: 9 }], '9'],
    [[{ key: '/core/namespaces//other', revision: 9 }], '5'],
  ] as const) {
    const { labels } = await namespaceMetadata(
      { namespace: 'n', preconditions: [...preconditions], call },
      namespaces,
    );
    assert.equal(labels?.['at'], expected);
  }
  const { labels } = await currentNamespaceMetadata({ namespace: 'n', call }, namespaces);
  assert.equal(labels?.['at'], '9');
});

test('a missing namespace is a 404', async () => {
  using call = createCallContext({ timeoutMs: 60_000 });
  const none = { find: async () => undefined, findCurrent: async () => undefined };
  const review = { namespace: 'n', preconditions: [], call };
  await assert.rejects(namespaceMetadata(review, none), { code: 404, reason: 'NotFound' });
  await assert.rejects(currentNamespaceMetadata(review, none), { code: 404, reason: 'NotFound' });
});
