import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import { everything, labelSelectorFrom } from '@binnacle/api-objects';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { NamespaceSource } from '../../sources/namespaces.ts';
import { createReview } from '../../test-drivers/plugin-fixture.ts';
import { matchesSelectors } from './matches-selectors.ts';

const namespaces: NamespaceSource = {
  find: async name => ({
    key: storageKeyFrom(`/core/namespaces//${name}`),
    revision: 1,
    labels: { 'cluster.io/metadata.name': name },
    terminating: false,
  }),
  findCurrent: async () => undefined,
  keyOf: () => undefined,
};

const chosen = (label: string, value: string) => ({
  objectSelector: everything,
  namespaceSelector: labelSelectorFrom({ matchLabels: { [label]: value } }),
});

test('a namespace can be selected by either name of its name label', ofCluster, async () => {
  const object = { metadata: { name: 'm' } };
  const review = createReview({ type: '/v1/configmaps', namespace: 'a', object });
  const own = { metadata: { name: 'a', labels: { 'cluster.io/metadata.name': 'a' } } };
  const itself = createReview({ type: '/v1/namespaces', object: own });
  for (const label of ['cluster.io/metadata.name', 'kubernetes.io/metadata.name'])
    for (const one of [review, itself]) {
      assert.ok(await matchesSelectors(chosen(label, 'a'), one, namespaces), label);
      assert.ok(!(await matchesSelectors(chosen(label, 'b'), one, namespaces)), label);
    }
  const named = {
    metadata: { name: 'a', labels: { ...own.metadata.labels, 'kubernetes.io/metadata.name': 'b' } },
  };
  const labelled = createReview({ type: '/v1/namespaces', object: named });
  const asOther = chosen('kubernetes.io/metadata.name', 'b');
  assert.ok(!(await matchesSelectors(asOther, labelled, namespaces)), 'a namespace has the name that it has');
});
