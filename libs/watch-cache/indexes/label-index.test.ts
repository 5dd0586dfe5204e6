import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelSelectorFrom, parseFieldSelector, parseLabelSelector } from '@binnacle/api-objects';
import { encodeStored } from '@binnacle/codecs';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { CacheQuery } from '../contract/contract.ts';
import { LabelIndexes } from '../object-store/label-indexes.ts';
import { ObjectStore } from '../object-store/object-store.ts';
import { ownCopy, StoredObject } from '../object-store/stored-object.ts';
import { configMaps, settle, startCache } from '../test-drivers/cache-under-test.ts';
import { createObject } from '../test-drivers/change-log.ts';
import { createRandom, randomLabels, randomQuery } from '../test-drivers/random-queries.ts';
import { StreamModel } from '../test-drivers/stream-model.ts';
import type { TypeReplica } from '../type-replica/type-replica.ts';
import { compileQuery } from './compiled-query.ts';
import { candidateObjects, selectObjects } from './select-objects.ts';

const namespaces = ['a', 'a-b', 'a.c', 'b'];

function stored(path: string, labels: Record<string, string> | undefined, revision: number): StoredObject {
  const bytes = ownCopy(encodeStored(createObject(configMaps, path, labels === undefined ? {} : { labels })));
  const key = storageKeyFrom(`${configMaps.storagePrefix}${path}`);
  return new StoredObject(configMaps, { key, revision, stored: bytes });
}

function select(store: ObjectStore, query: CacheQuery): readonly StoredObject[] {
  return selectObjects(store, compileQuery(query), configMaps.storagePrefix);
}

/** Matches every object with the selectors themselves. */
function scan(store: ObjectStore, { namespace, labelSelector, fieldSelector }: CacheQuery): string[] {
  return [...store.values()]
    .filter(object => namespace === undefined || object.namespace === namespace)
    .filter(object => labelSelector?.matches(object.labels) ?? true)
    .filter(object => fieldSelector?.matches(object.fields) ?? true)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(object => `${object.key}@${object.revision}`);
}

/** Builds the index of a label immediately, by a search of many objects. */
function makeIndex(store: ObjectStore, selector: string): void {
  const { equalities } = compileQuery({ labelSelector: parseLabelSelector(selector) });
  store.labels.find(equalities, { range: undefined, size: 1_000_000 });
  assert.ok(store.labels.indexed.includes(selector.split('=')[0] ?? ''));
}

/** Starts the index of a label in slices, by searches of less than half of the objects. */
function beginIndex({ labels, size }: Pick<ObjectStore, 'labels' | 'size'>, selector: string): void {
  const { equalities } = compileQuery({ labelSelector: parseLabelSelector(selector) });
  const searched = Math.ceil(size / 2) - 1;
  for (let looked = 0; searched > 0 && looked < 4096; looked += searched)
    labels.find(equalities, { range: undefined, size: searched });
}

/** Waits until a label is indexed. */
async function untilIndexed(store: ObjectStore, label: string): Promise<void> {
  while (!store.labels.indexed.includes(label)) await settle(1);
}

for (let seed = 1; seed <= 16; seed++) {
  test(`indexes find the same objects as a full scan after any changes (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const store = new ObjectStore();
    const names = seed % 4 === 0 ? 900 : 60;
    let now = 0;
    let found = 0;
    for (let i = 0; i < 2500; i++) {
      const choice = random(100);
      const path = `${namespaces[random(namespaces.length)]}/n${random(names)}`;
      if (i % 40 === 0) await settle(1);
      if (choice < 70) store.put(stored(path, randomLabels(random), i));
      else if (choice < 82) store.delete(storageKeyFrom(`${configMaps.storagePrefix}${path}`));
      else if (choice < 85) {
        const begin = choice === 82 ? makeIndex : beginIndex;
        begin(store, ['app=x', 'shard=x', 'unique=x', 'constructor=x'][random(4)] ?? '');
      } else if (choice < 87) {
        now += random(400_000);
        store.labels.tidy(now);
      } else {
        const query = randomQuery(random, namespaces);
        const given = select(store, query);
        const keys = given.map(object => `${object.key}@${object.revision}`);
        assert.deepEqual(keys, scan(store, query), `${query.namespace} ${query.labelSelector}`);
        found += keys.length;
        const candidates = candidateObjects(store, compileQuery(query), configMaps.storagePrefix);
        assert.deepEqual(
          candidates.filter(object => compileQuery(query).matches(object)),
          given,
        );
      }
    }
    assert.ok(found > 0);
  });
}

test('a returned list does not change later', () => {
  const store = new ObjectStore();
  for (let i = 0; i < 20; i++) store.put(stored(`a/n${i}`, { app: 'web' }, i));
  for (let i = 0; i < 20; i++) store.put(stored(`b/n${i}`, { app: 'db' }, i));
  makeIndex(store, 'app=web');
  const query = { labelSelector: parseLabelSelector('app=web') };
  const given = select(store, query);
  const before = [...given];
  store.put(stored('a/n1', { app: 'web' }, 100));
  store.delete(storageKeyFrom(`${configMaps.storagePrefix}a/n2`));
  store.put(stored('a/new', { app: 'web' }, 101));
  assert.deepEqual(given, before);
  assert.equal(select(store, query).length, 20);
});

test('the smallest of the sets of labels and the namespace is scanned', () => {
  const store = new ObjectStore();
  for (let i = 0; i < 1000; i++)
    store.put(stored(`a/n${i}`, { app: 'web', shard: `s${i % 100}`, tier: i % 2 ? 'front' : 'back' }, i));
  for (let i = 0; i < 5; i++) store.put(stored(`b/n${i}`, { app: 'web', shard: 's1', tier: 'front' }, i));
  const candidates = (selector: string, namespace?: string) => {
    const query = compileQuery({ labelSelector: parseLabelSelector(selector), namespace });
    return candidateObjects(store, query, configMaps.storagePrefix).length;
  };
  assert.equal(candidates('tier=front,shard=s1'), 1005);
  for (const selector of ['app=web', 'tier=front', 'shard=s1']) makeIndex(store, selector);
  assert.equal(candidates('app=web,tier=front,shard=s1'), 15);
  assert.equal(candidates('tier=front,shard in (s1,s3,none)'), 25);
  assert.equal(candidates('app=web,shard=s1', 'a'), 10);
  assert.equal(candidates('app=web,tier=front', 'b'), 5);
  assert.equal(candidates('shard=none'), 0);
  assert.equal(candidates('shard!=s1'), 1005);
  assert.equal(candidates('shard'), 1005);
});

test('a label is indexed when searches have scanned as many objects as there are, and the index is dropped when it is unused', async () => {
  const store = new ObjectStore();
  for (let i = 0; i < 5000; i++)
    store.put(stored(`${i < 10 ? 'few' : 'many'}/n${i}`, { app: `app-${i % 100}` }, i));
  const query = { labelSelector: parseLabelSelector('app=app-7,tier notin (x)') };
  for (let i = 0; i < 400; i++) select(store, { ...query, namespace: 'few' });
  assert.deepEqual(store.labels.indexed, []);
  for (let i = 0; i < 100; i++) select(store, { ...query, namespace: 'few' });
  await untilIndexed(store, 'app');
  assert.equal(select(store, query).length, 50);
  store.labels.tidy(0);
  store.labels.tidy(600_000);
  assert.deepEqual(store.labels.indexed, ['app']);
  select(store, query);
  store.labels.tidy(1_000_000);
  store.labels.tidy(1_600_000);
  assert.deepEqual(store.labels.indexed, ['app']);
  store.labels.tidy(1_600_001);
  assert.deepEqual(store.labels.indexed, []);
});

test('the number of indexes is limited, and the most recently used ones are kept', () => {
  const store = new ObjectStore();
  store.put(stored('a/x', { app: 'web' }, 1));
  makeIndex(store, 'app=web');
  for (let i = 0; i < 40; i++) {
    makeIndex(store, `key-${i}=x`);
    select(store, { labelSelector: parseLabelSelector('app=web') });
  }
  assert.equal(store.labels.indexed.length, 16);
  assert.ok(store.labels.indexed.includes('app'));
  assert.ok(store.labels.indexed.includes('key-39'));
  assert.ok(!store.labels.indexed.includes('key-0'));
});

test('a search that matches half of the objects builds the index that answers it', () => {
  const store = new ObjectStore();
  for (let i = 0; i < 4096; i++) store.put(stored(`a/n${i}`, { any: 'x', app: `app-${i % 64}` }, i));
  for (let i = 0; i < 4096; i++) store.put(stored(`b/n${i}`, { any: 'y' }, i));
  const query = compileQuery({ labelSelector: parseLabelSelector('any=x,app=app-7'), namespace: 'a' });
  assert.equal(candidateObjects(store, query, configMaps.storagePrefix).length, 4096);
  assert.deepEqual(store.labels.indexed, ['any']);
  assert.equal(candidateObjects(store, query, configMaps.storagePrefix).length, 64);
  assert.deepEqual(store.labels.indexed, ['any', 'app']);
});

test('a search in a very large store does not wait for the index that it starts', async () => {
  const store = new ObjectStore();
  for (let i = 0; i < 400; i++) store.put(stored(`a/n${String(i).padStart(3, '0')}`, { app: 'web' }, i));
  const many = {
    size: 65_537,
    version: 1,
    all: () => store.all(),
    get: (key: string) => store.get(key as Parameters<typeof store.get>[0]), // Its own keys.
  };
  const indexes = new LabelIndexes(many);
  const { equalities } = compileQuery({ labelSelector: parseLabelSelector('app=web') });
  const search = () => indexes.find(equalities, { range: undefined, size: many.size });
  assert.equal(search(), undefined);
  while (indexes.indexed.length === 0) await settle(1);
  assert.equal(search()?.size, 400);
});

/** Creates a store of 400 objects, and indexes whose slices take one step each and continue on request. */
function slicedIndexes() {
  const store = new ObjectStore();
  for (let i = 0; i < 400; i++) store.put(stored(`a/n${String(i).padStart(3, '0')}`, { app: 'web' }, i));
  const turns: (() => void)[] = [];
  const indexes = new LabelIndexes(store, {
    isOver: () => true,
    yield: () => new Promise(resolve => turns.push(resolve)),
  });
  const change = (path: string, labels: Record<string, string> | undefined): void => {
    const object = labels && stored(path, labels, 1000);
    const previous =
      object === undefined
        ? store.delete(storageKeyFrom(`${configMaps.storagePrefix}${path}`))
        : store.put(object);
    indexes.replace(previous, object);
  };
  /** Starts the index; the first of its four steps runs. */
  const begin = (): void => beginIndex({ labels: indexes, size: store.size }, 'app=web');
  /** Changes objects on both sides of the end of the first step. */
  const changeSome = (): void => {
    change('a/n001', { app: 'none' });
    change('a/n002', undefined);
    change('a/n003', { app: 'new' });
    change('a/n301', { app: 'none' });
    change('a/n302', undefined);
    change('a/n303', { app: 'new' });
    change('a/n303-later', { app: 'new' });
  };
  const { equalities } = compileQuery({ labelSelector: parseLabelSelector('app in (web,new)') });
  /** Returns the keys that the index finds for a search of `size` objects. */
  const find = (size: number) => indexes.find(equalities, { range: undefined, size })?.keys();
  const expected = (): string[] =>
    [...store.values()]
      .filter(({ labels }) => labels['app'] !== 'none')
      .map(({ key }) => key)
      .sort();
  return { store, turns, change, begin, changeSome, find, expected };
}

test('an index is used when it is complete, including changes during its construction', async () => {
  const { turns, begin, changeSome, find, expected } = slicedIndexes();
  begin();
  changeSome();
  for (let left = 3; left > 0; left--) {
    assert.equal(find(100), undefined);
    turns.shift()?.();
    await settle(1);
  }
  assert.deepEqual(turns, []);
  assert.deepEqual(find(100), expected());
});

test('a full scan completes an index under construction, including earlier and later changes', async () => {
  const { store, turns, change, begin, changeSome, find, expected } = slicedIndexes();
  begin();
  turns.shift()?.();
  await settle(1);
  changeSome();
  assert.equal(find(100), undefined);
  assert.deepEqual(find(store.size), expected());
  changeSome();
  change('a/n303-later', undefined);
  // The slices continue and find nothing to do.
  turns.shift()?.();
  await settle(1);
  assert.deepEqual(turns, []);
  assert.deepEqual(find(100), expected());
});

test('a selector that nothing matches finds nothing', () => {
  const store = new ObjectStore();
  store.put(stored('a/x', { app: 'web' }, 1));
  makeIndex(store, 'app=web');
  assert.deepEqual(select(store, { labelSelector: labelSelectorFrom(null) }), []);
  const fieldSelector = parseFieldSelector('metadata.namespace=b');
  assert.deepEqual(select(store, { labelSelector: parseLabelSelector('app=web'), fieldSelector }), []);
});

for (let seed = 1; seed <= 4; seed++) {
  test(`lists by label show the state at their revision, also after a new list of the type (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const createPath = (number: number): string => `${namespaces[number % namespaces.length]}/n${number}`;
    await using t = await startCache({
      before: log => {
        for (let i = 0; i < 700; i++) log.put(configMaps, createPath(i), { labels: { app: `app-${i % 4}` } });
      },
    });
    const replica = t.configMaps as TypeReplica; // The cache creates it for a type.
    const model = new StreamModel(t.log.history);
    let delivered = t.log.revision;
    const compare = (query: CacheQuery): void => {
      const { objects, revision } = replica.list(query);
      const shown = objects.map(object => `ADDED ${object.namespace}/${object.name}@${object.revision}`);
      const expected = model.initial(query, revision).map(text => text.split(' ').slice(0, 2).join(' '));
      assert.deepEqual(shown, expected);
    };
    let indexed = 0;
    for (let step = 0; step < 120; step++) {
      await settle(1);
      for (let i = random(4); i > 0; i--) {
        const path = createPath(random(720));
        const labels = randomLabels(random);
        if (random(4) === 0) t.log.delete(configMaps, path);
        else t.log.put(configMaps, path, labels === undefined ? {} : { labels });
      }
      if (random(3) === 0) {
        delivered = Math.min(t.log.revision, delivered + 1 + random(5));
        t.log.deliver({ upTo: delivered });
      }
      if (step === 60 || step === 100) {
        if (step === 60) t.log.lose();
        t.log.gap();
        await settle();
        delivered = Math.max(delivered, replica.revision);
      }
      compare({ labelSelector: parseLabelSelector('app=app-1') });
      compare(randomQuery(random, namespaces));
      indexed += replica.store.labels.indexed.includes('app') ? 1 : 0;
    }
    assert.ok(indexed > 60, `${indexed} lists could use an index`);
  });
}
