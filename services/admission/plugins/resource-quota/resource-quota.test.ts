import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { decodeStored } from '@binnacle/codecs';
import { StatusError } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { resourceQuota } from './resource-quota.ts';

const quotas = '/v1/resourcequotas';
const namespaces = '/v1/namespaces';
const pods = '/v1/pods';
const namespace = 't';

/** A quota of config maps, by default, of which one of two is used. */
function quota(
  name: string,
  hard: JsonObject = { configmaps: '2' },
  used: JsonObject = { configmaps: '1' },
): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace },
    spec: { hard },
    status: { hard, used },
  };
}

interface Setting {
  /** The quotas that there are. */
  readonly stored?: readonly JsonObject[];
  /** The quotas that the cache shows; default: those that there are. */
  readonly cached?: readonly JsonObject[];
  readonly storedPods?: readonly JsonObject[];
  readonly configuration?: JsonObject;
  readonly more?: Partial<Review>;
}

/** Reviews a write by the plugin; returns the review, and the quotas that it writes: name, used amounts, revision. */
async function charge(parts: ReviewParts, setting: Setting = {}) {
  const { stored = [], cached = stored, storedPods = [], configuration, more } = setting;
  const plugin = pluginFrom(resourceQuota, {
    objects: { [quotas]: stored, [namespaces]: [{ metadata: { name: namespace } }], [pods]: storedPods },
    cached: { [quotas]: cached },
    ...(configuration && { configuration }),
  });
  const review: Review = { ...createReview({ namespace, ...parts }), ...more };
  await plugin.validate?.(review);
  const written = review.jointWrites.map(({ key, revision, value, onRemoval }) => {
    const { status } = decodeStored(value, revision) as { status?: { used?: unknown } };
    const name = key.slice(key.lastIndexOf('/') + 1);
    return { name, revision, used: status?.used, onRemoval };
  });
  return { review, written };
}

function refusal(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, 403);
    assert.match(error.message, message);
    return true;
  };
}

const configMap: ReviewParts = { type: '/v1/configmaps', object: { metadata: { name: 'a' } } };
const deletion: ReviewParts = {
  ...{ type: '/v1/configmaps', operation: 'DELETE', name: 'a' },
  oldObject: { metadata: { name: 'a' } },
};
const q = quota('q');

suite('a write of one object', () => {
  test('that is created is charged to each quota of the namespace that counts it', async () => {
    const stored = [
      q,
      quota('other', { secrets: '1' }, { secrets: '0' }),
      quota('both', { 'count/configmaps': '9' }, { 'count/configmaps': '4' }),
    ];
    const { written } = await charge(configMap, { stored });
    assert.deepEqual(written, [
      { name: 'q', revision: 1, used: { configmaps: '2' }, onRemoval: false },
      { name: 'both', revision: 3, used: { 'count/configmaps': '5' }, onRemoval: false },
    ]);
  });

  test('that is removed is credited, in the transaction that removes it', async () => {
    const { written } = await charge(deletion, { stored: [q] });
    assert.deepEqual(written, [{ name: 'q', revision: 1, used: { configmaps: '0' }, onRemoval: true }]);
  });

  test('that stays as much as it was is not charged', async () => {
    const update: ReviewParts = { ...configMap, operation: 'UPDATE', oldObject: { metadata: { name: 'a' } } };
    assert.deepEqual((await charge(update, { stored: [q] })).written, []);
  });

  test('that is being deleted is credited by the update that removes it', async () => {
    const object = { metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const update: ReviewParts = { ...configMap, operation: 'UPDATE', object, oldObject: object };
    const { written } = await charge(update, { stored: [q] });
    assert.deepEqual(written, [{ name: 'q', revision: 1, used: { configmaps: '0' }, onRemoval: true }]);
  });

  test('beyond the limit of a quota is refused, as a dry run too', async () => {
    const full = quota('full', { configmaps: '1' });
    const message =
      /configmaps "a" is forbidden: exceeded quota: full, requested: configmaps=1, used: configmaps=1, limited: configmaps=1/;
    await assert.rejects(charge(configMap, { stored: [q, full] }), refusal(message));
    await assert.rejects(charge({ ...configMap, dryRun: true }, { stored: [q, full] }), refusal(message));
  });

  test('in a namespace without quotas, or of a type that no quota counts, is not charged', async () => {
    assert.deepEqual((await charge(configMap)).written, []);
    assert.deepEqual((await charge({ ...configMap, type: '/v1/secrets' }, { stored: [q] })).written, []);
    const node: ReviewParts = { type: '/v1/nodes', namespace: '', object: { metadata: { name: 'a' } } };
    assert.deepEqual(
      (await charge(node, { stored: [quota('n', { 'count/nodes': '0' }, { 'count/nodes': '0' })] })).written,
      [],
    );
  });
});

const service = (type: string) => ({ metadata: { name: 'a' }, spec: { type, ports: [{ port: 1 }] } });
const container = (cpu: string) => ({ name: 'c', resources: { requests: { cpu } } });
const pod = (cpu: string, status: JsonObject = {}) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace } },
  ...{ spec: { containers: [container(cpu)] }, status },
});
const ofCpu = quota('q', { 'requests.cpu': '2' }, { 'requests.cpu': '2' });

suite('an update', () => {
  test('of a Service is limited as a creation is', async () => {
    const ports = quota('q', { 'services.nodeports': '1' }, { 'services.nodeports': '1' });
    const update: ReviewParts = {
      ...{ type: '/v1/services', operation: 'UPDATE' },
      ...{ object: service('NodePort'), oldObject: service('ClusterIP') },
    };
    await assert.rejects(
      charge(update, { stored: [ports] }),
      refusal(/exceeded quota: q, requested: services.nodeports=1/),
    );
    const back = { ...update, object: service('ClusterIP'), oldObject: service('NodePort') };
    assert.deepEqual((await charge(back, { stored: [ports] })).written, [
      { name: 'q', revision: 1, used: { 'services.nodeports': '0' }, onRemoval: false },
    ]);
  });

  test('of a Pod is charged beyond the limit, and not refused', async () => {
    const update: ReviewParts = { type: pods, operation: 'UPDATE', object: pod('3'), oldObject: pod('1') };
    assert.deepEqual((await charge(update, { stored: [ofCpu] })).written, [
      { name: 'q', revision: 1, used: { 'requests.cpu': '4' }, onRemoval: false },
    ]);
  });

  test('of the status of a Pod that has ended credits it; other subresources count nothing', async () => {
    const ended = pod('1', { phase: 'Succeeded' });
    const update: ReviewParts = { type: pods, operation: 'UPDATE', object: ended, oldObject: pod('1') };
    assert.deepEqual((await charge({ ...update, subresource: 'status' }, { stored: [ofCpu] })).written, [
      { name: 'q', revision: 1, used: { 'requests.cpu': '1' }, onRemoval: false },
    ]);
    assert.deepEqual(
      (await charge({ ...update, subresource: 'ephemeralcontainers' }, { stored: [ofCpu] })).written,
      [],
    );
    assert.deepEqual((await charge({ ...update, operation: 'CONNECT' }, { stored: [ofCpu] })).written, []);
    const binding = { group: '', version: 'v1', kind: 'Binding' };
    const bound = { ...update, subresource: 'status' };
    assert.deepEqual((await charge(bound, { stored: [ofCpu], more: { kind: binding } })).written, []);
  });
});

suite('an eviction', () => {
  const eviction: ReviewParts = {
    type: pods,
    subresource: 'eviction',
    name: 'a',
    object: { metadata: { name: 'a' } },
  };
  const more = { kind: { group: 'policy', version: 'v1', kind: 'Eviction' } };

  test('credits the Pod that is stored, which has to be unchanged', async () => {
    const { review, written } = await charge(eviction, { stored: [ofCpu], storedPods: [pod('500m')], more });
    assert.deepEqual(written, [
      { name: 'q', revision: 1, used: { 'requests.cpu': '1500m' }, onRemoval: true },
    ]);
    assert.deepEqual(review.preconditions, [{ key: '/core/pods/t/a', revision: 1 }]);
  });

  test('reads no Pod where there is no quota, and credits none that is gone', async () => {
    const { review } = await charge(eviction, { storedPods: [pod('500m')], more });
    assert.deepEqual([review.preconditions, review.jointWrites], [[], []]);
    const gone = await charge(eviction, { stored: [ofCpu], more });
    assert.deepEqual([gone.review.preconditions, gone.written], [[], []]);
  });
});

suite('a resource that may be used only within a quota', () => {
  const configuration = {
    limitedResources: [{ apiGroup: '', resource: 'configmaps', matchContains: ['count/configmaps'] }],
  };
  const counting = quota('q', { 'count/configmaps': '9' }, { 'count/configmaps': '0' });

  test('is refused where no quota limits it', async () => {
    for (const stored of [[], [q]])
      await assert.rejects(
        charge(configMap, { stored, configuration }),
        refusal(/configmaps "a" is forbidden: insufficient quota to consume: count\/configmaps/),
      );
  });

  test('is charged where one does, and needs none for an update, a deletion or a subresource', async () => {
    assert.equal((await charge(configMap, { stored: [counting], configuration })).written.length, 1);
    const update: ReviewParts = { ...configMap, operation: 'UPDATE', oldObject: { metadata: { name: 'a' } } };
    await charge(update, { configuration });
    await charge(deletion, { configuration });
    await charge({ ...configMap, subresource: 'status' }, { configuration });
  });
});

suite('more quotas than fit into a transaction', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => quota(`q${i}`));

  test('refuse a creation, from the 49th', async () => {
    assert.equal((await charge(configMap, { stored: many(48) })).written.length, 48);
    await assert.rejects(
      charge(configMap, { stored: many(49) }),
      refusal(/configmaps "a" is forbidden: it counts for more than 48 quotas of its namespace/),
    );
  });

  test('never refuse a deletion: 48 are credited', async () => {
    assert.equal((await charge(deletion, { stored: many(49) })).written.length, 48);
    const evicted = await charge(
      { type: pods, subresource: 'eviction', name: 'a', object: { metadata: { name: 'a' } } },
      {
        stored: Array.from({ length: 49 }, (_, i) => quota(`q${i}`, { pods: '2' }, { pods: '1' })),
        storedPods: [pod('1')],
        more: { kind: { group: 'policy', version: 'v1', kind: 'Eviction' } },
      },
    );
    assert.equal(evicted.written.length, 48);
  });
});

suite('a quota', () => {
  const counting = quota('own', { resourcequotas: '5' }, { resourcequotas: '1' });
  const other = quota('other', { resourcequotas: '5' }, { resourcequotas: '1' });
  const touched = { name: namespace, revision: 1, used: undefined, onRemoval: false };

  test('that is created writes its namespace, so that creations that were reviewed without it are reviewed anew', async () => {
    const { review, written } = await charge({ type: quotas, object: counting });
    assert.deepEqual(written, [touched]);
    assert.equal(review.jointWrites[0]?.key, '/core/namespaces//t');
  });

  test('that counts other resources than before writes its namespace, one with other limits does not', async () => {
    const update: ReviewParts = { type: quotas, operation: 'UPDATE', object: counting, oldObject: counting };
    assert.deepEqual((await charge(update)).written, []);
    const higher = quota('own', { resourcequotas: '9' }, { resourcequotas: '1' });
    assert.deepEqual((await charge({ ...update, object: higher })).written, []);
    const wider = quota('own', { resourcequotas: '5', pods: '1' });
    assert.deepEqual((await charge({ ...update, object: wider })).written, [touched]);
    const scoped = { ...counting, spec: { hard: { resourcequotas: '5' }, scopes: ['BestEffort'] } };
    assert.deepEqual((await charge({ ...update, object: scoped })).written, [touched]);
  });

  test('is charged to the others, not to itself, and its deletion leaves the namespace', async () => {
    const removed: ReviewParts = { type: quotas, operation: 'DELETE', name: 'own', oldObject: counting };
    assert.deepEqual((await charge(removed, { stored: [counting, other] })).written, [
      { name: 'other', revision: 2, used: { resourcequotas: '0' }, onRemoval: true },
    ]);
  });

  test('is not written with a namespace that is gone', async () => {
    assert.deepEqual((await charge({ type: quotas, namespace: 'gone', object: counting })).written, []);
  });
});

test('a write that no quota can count is reviewed without a promise', async () => {
  const validate = (stored: readonly JsonObject[], parts: ReviewParts, configuration?: JsonObject) => {
    const objects = { [quotas]: stored, [namespaces]: [{ metadata: { name: namespace } }] };
    const plugin = pluginFrom(resourceQuota, {
      ...{ objects, cached: objects, isReady: true },
      ...(configuration && { configuration }),
    });
    return plugin.validate?.(createReview({ namespace, ...parts }));
  };
  assert.equal(validate([], configMap), undefined);
  assert.equal(validate([q], { ...configMap, namespace: '' }), undefined);
  for (const waiting of [
    validate([q], configMap),
    validate([], { type: quotas, object: quota('own') }),
    validate([], configMap, { limitedResources: [{ resource: 'pods', matchContains: ['cpu'] }] }),
  ]) {
    assert.ok(waiting instanceof Promise);
    await waiting;
  }
});

suite('the quotas that are charged', () => {
  const older = quota('q', { configmaps: '1' }, { configmaps: '0' });
  const key = '/core/namespaces//t' as Review['preconditions'][number]['key'];
  const charged = async (more: Partial<Review>) => {
    const { written } = await charge(configMap, { stored: [q], cached: [older], more });
    return written.map(({ used }) => used);
  };

  test('are those of the cache, where it is as new as the namespace of the review', async () => {
    assert.deepEqual(await charged({}), [{ configmaps: '1' }]);
    assert.deepEqual(await charged({ preconditions: [{ key, revision: 1 }] }), [{ configmaps: '1' }]);
  });

  test('are those of the store, where the namespace is newer than the cache', async () => {
    assert.deepEqual(await charged({ preconditions: [{ key, revision: 2 }] }), [{ configmaps: '2' }]);
  });

  test('are those of the store, where the write is reviewed anew', async () => {
    assert.deepEqual(await charged({ isRetry: true }), [{ configmaps: '2' }]);
  });
});
