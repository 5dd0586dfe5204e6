import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeStored } from '@binnacle/codecs';
import { type Revision, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import type { CachePage, CacheQuery } from './contract/contract.ts';
import { EventWindow } from './event-window/event-window.ts';
import { StoredObject } from './object-store/stored-object.ts';
import { configMaps, settle, startCache } from './test-drivers/cache-under-test.ts';
import { createRandom, randomLabels, randomQuery } from './test-drivers/random-queries.ts';

/** One object of the model. */
interface Sketch {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly revision: Revision;
}

const namespaces = ['a', 'a-b', 'b'];
const createKey = ({ namespace, name }: Pick<Sketch, 'namespace' | 'name'>): string =>
  `/core/configmaps/${namespace}/${name}`;

/** Returns the keys and revisions that a query selects from a state, in key order. */
function expected(state: ReadonlyMap<string, Sketch>, query: CacheQuery): string[] {
  return [...state.values()]
    .filter(({ namespace }) => query.namespace === undefined || query.namespace === namespace)
    .filter(({ labels }) => query.labelSelector?.matches(labels) !== false)
    .filter(
      ({ namespace, name }) =>
        query.fieldSelector?.matches({ 'metadata.name': name, 'metadata.namespace': namespace }) !== false,
    )
    .sort((a, b) => (createKey(a) < createKey(b) ? -1 : 1))
    .map(object => `${createKey(object)} ${object.revision}`);
}

function shown({ objects }: CachePage): string[] {
  return objects.map(({ key, revision }) => `${key} ${revision}`);
}

for (const seed of [1, 2, 3])
  test(`pages at any revision show the state at that revision, whatever changed since (seed ${seed})`, async () => {
    const random = createRandom(seed);
    await using t = await startCache();
    const states = new Map<Revision, ReadonlyMap<string, Sketch>>();
    let state = new Map<string, Sketch>();
    let checked = 0;
    for (let step = 0; step < 500; step++) {
      const object = { namespace: namespaces[random(3)] ?? 'a', name: `n${random(60)}` };
      const path = `${object.namespace}/${object.name}`;
      state = new Map(state);
      if (random(3) === 0) {
        if (!state.delete(createKey(object))) continue;
        t.log.delete(configMaps, path);
      } else {
        const labels = randomLabels(random);
        const revision = t.log.put(configMaps, path, labels && { labels });
        state.set(createKey(object), { ...object, labels: labels ?? {}, revision });
      }
      states.set(t.log.revision, state);
      t.log.deliver();
      if (step % 20 === 0) await settle();
      const revisions = [...states.keys()];
      const atRevision = revisions[Math.max(0, revisions.length - 1 - random(60))] ?? 0;
      const query = randomQuery(random, namespaces);
      const all = expected(states.get(atRevision) ?? new Map(), query);
      const limit = random(3) === 0 ? 0 : 1 + random(8);
      const seen: string[] = [];
      let startAfter: StorageKey | undefined;
      for (;;) {
        const page = t.configMaps.page({ ...query, atRevision, startAfter, limit });
        assert.ok(page !== undefined);
        assert.equal(page.revision, atRevision);
        seen.push(...shown(page));
        assert.ok(limit === 0 || page.objects.length <= limit);
        assert.equal(page.hasMore, seen.length < all.length);
        if (page.remaining !== undefined) assert.equal(page.remaining, all.length - seen.length);
        const isExact = query.labelSelector === undefined && query.fieldSelector === undefined;
        assert.ok(!isExact || page.remaining !== undefined);
        if (!page.hasMore) break;
        startAfter = page.objects.at(-1)?.key;
      }
      assert.deepEqual(seen, all);
      checked += seen.length;
    }
    assert.ok(checked > 1000);
    const now = t.configMaps.page({ limit: 0 });
    assert.deepEqual(now && shown(now), expected(state, {}));
  });

test('a page is not answered from the cache for a revision before the window or ahead of the cache', async () => {
  await using t = await startCache({ limits: { watchCacheMaxEvents: 3 } });
  for (let number = 0; number < 5; number++) t.log.put(configMaps, `a/n${number}`);
  t.log.deliver();
  const at = (atRevision: Revision) => t.configMaps.page({ limit: 0, atRevision })?.objects.length;
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(at), [undefined, undefined, 2, 3, 4, 5, undefined]);
  t.log.put(configMaps, 'a/n5');
  assert.equal(at(6), undefined);
  t.log.deliver();
  assert.equal(at(6), 6);
});

test('a version with an unknown revision is in no page', () => {
  const limits = { milliseconds: 1_000, events: 10, bytes: 1_000 };
  const version = (revision: Revision) =>
    new StoredObject(configMaps, {
      key: storageKeyFrom('/core/configmaps/a/x'),
      revision,
      stored: encodeStored({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'a' } }),
    });
  for (const [known, versions] of [
    [3, 1],
    [0, undefined],
  ] as const) {
    const window = new EventWindow(limits, 4);
    const [object, previous] = [version(6), version(known)];
    window.append({ type: 'MODIFIED', revision: 6, object, previous, received: 0 });
    assert.equal(window.versionsAt(5, 10)?.size, versions);
    assert.equal(window.versionsAt(6, 10)?.size, 0);
    assert.equal(window.versionsAt(5, 0), undefined);
    assert.equal(window.versionsAt(3, 10), undefined);
  }
});
