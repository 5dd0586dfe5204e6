import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector, parseLabelSelector } from '@binnacle/api-objects';
import { encodeStored } from '@binnacle/codecs';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { CacheQuery } from '../contract/contract.ts';
import { ownCopy, StoredObject } from '../object-store/stored-object.ts';
import { pods } from '../test-drivers/cache-under-test.ts';
import { createObject } from '../test-drivers/change-log.ts';
import { createRandom, type Random, randomLabels, randomQuery } from '../test-drivers/random-queries.ts';
import { compileQuery } from './compiled-query.ts';
import { QueryIndex } from './query-index.ts';

const namespaces = ['a', 'a-b', 'b'];

interface Entry {
  readonly query: ReturnType<typeof compileQuery>;
}

function entry(query: CacheQuery): Entry {
  return { query: compileQuery(query) };
}

function pod(path: string, labels: Record<string, string> | undefined, node = ''): StoredObject {
  const spec = { nodeName: node, containers: [] };
  const bytes = ownCopy(
    encodeStored(createObject(pods, path, labels === undefined ? { spec } : { labels, spec })),
  );
  const key = storageKeyFrom(`${pods.storagePrefix}${path}`);
  return new StoredObject(pods, { key, revision: 1, stored: bytes });
}

function randomPodQuery(random: Random): CacheQuery {
  const query = randomQuery(random, namespaces);
  if (random(5) > 0) return query;
  return { ...query, fieldSelector: parseFieldSelector(`spec.nodeName=node-${random(4)}`) };
}

function visited(index: QueryIndex<Entry>, object: StoredObject, previous?: StoredObject): Entry[] {
  const entries: Entry[] = [];
  index.visit(object, previous, each => entries.push(each));
  return entries;
}

for (let seed = 1; seed <= 12; seed++) {
  test(`a change finds every matching query once, and none whose equality it does not satisfy (seed ${seed})`, () => {
    const random = createRandom(seed);
    const index = new QueryIndex<Entry>();
    const entries = new Set<Entry>();
    for (let i = 0; i < 1200; i++) {
      const choice = random(10);
      if (choice < 2 || entries.size < 20) {
        const added = entry(randomPodQuery(random));
        entries.add(added);
        index.add(added);
      } else if (choice === 2) {
        const removed = [...entries][random(entries.size)];
        if (removed !== undefined && entries.delete(removed)) index.remove(removed);
      } else {
        const path = `${namespaces[random(3)]}/n${random(60)}`;
        const create = () => pod(path, randomLabels(random), `node-${random(4)}`);
        const object = create();
        const previous = random(3) === 0 ? undefined : random(6) === 0 ? object : create();
        const states = previous === undefined ? [object] : [object, previous];
        const found = visited(index, object, previous);
        assert.equal(new Set(found).size, found.length, 'an entry was found twice');
        for (const each of entries) {
          if (states.some(state => each.query.matches(state)))
            assert.ok(found.includes(each), `${each.query.id} was not found`);
        }
        for (const each of found) {
          assert.ok(entries.has(each), 'a removed entry was found');
          const [only, second] = each.query.demands;
          if (only === undefined || second !== undefined) continue;
          const has = states.some(state => {
            const values = only.kind === 'field' ? state.fields : state.labels;
            return only.values.includes(values[only.key] ?? '');
          });
          assert.ok(has, `${each.query.id} was found without its equality`);
        }
      }
    }
    for (const each of entries) index.remove(each);
    assert.deepEqual(visited(index, pod('a/n1', { app: 'app-1', shard: 's1', unique: 'u1' }, 'node-1')), []);
  });
}

test('queries with a common equality are indexed by a different one', () => {
  const index = new QueryIndex<Entry>();
  for (let i = 0; i < 500; i++)
    index.add(entry({ labelSelector: parseLabelSelector(`app=web,tenant=t${i}`) }));
  const found = visited(
    index,
    pod('a/x', { app: 'web', tenant: 't7' }),
    pod('a/x', { app: 'web', tenant: 't9' }),
  );
  assert.ok(found.length <= 4, `${found.length} of 500 were asked`);
});

test('of several equalities a query is indexed by the one that the fewest have, in its namespace', () => {
  const index = new QueryIndex<Entry>();
  const add = (selector: string, namespace?: string) => {
    const added = entry({ labelSelector: parseLabelSelector(selector), namespace });
    index.add(added);
    return added;
  };
  for (let i = 0; i < 5; i++) {
    add('a=x', 'n');
    add('c=x');
  }
  add('b=x', 'm');
  const found = (labels: Record<string, string>, namespace = 'm') =>
    visited(index, pod(`${namespace}/p`, labels));
  // None of the namespace m has a=x, one has b=x.
  const inOne = add('a=x,b=x', 'm');
  assert.ok(found({ a: 'x' }).includes(inOne));
  assert.ok(!found({ b: 'x' }).includes(inOne));
  // Five have c=x, none has d=x, and a query of all namespaces with e=x is one more than those of none.
  add('e=x');
  const rare = add('c=x,d=x,e=x');
  assert.deepEqual(found({ d: 'x' }), [rare]);
  assert.ok(!found({ c: 'x', e: 'x' }).includes(rare));
});

test('the cost of a change does not grow with the labels of queries', () => {
  const index = new QueryIndex<Entry>();
  for (let i = 0; i < 300; i++) index.add(entry({ labelSelector: parseLabelSelector(`key-${i} in (x,y)`) }));
  assert.equal(visited(index, pod('a/x', { 'key-7': 'x' }), pod('a/x', { 'key-7': 'y' })).length, 1);
  assert.equal(visited(index, pod('a/x', { other: 'x' })).length, 0);
});

test('a query with many values is evaluated instead of indexed by each of them', () => {
  const index = new QueryIndex<Entry>();
  const values = (count: number): string => Array.from({ length: count }, (_, i) => `v${i}`).join(',');
  const many = entry({ labelSelector: parseLabelSelector(`key in (${values(17)})`) });
  const few = entry({ labelSelector: parseLabelSelector(`key in (${values(16)})`) });
  const both = entry({ labelSelector: parseLabelSelector(`key in (${values(17)}),other in (${values(2)})`) });
  for (const each of [many, few, both]) index.add(each);
  assert.deepEqual(visited(index, pod('a/x', { key: 'none' })), [many]);
  assert.deepEqual(
    new Set(visited(index, pod('a/x', { key: 'v3', other: 'v1' }))),
    new Set([many, few, both]),
  );
  for (const each of [many, few, both]) index.remove(each);
  assert.deepEqual(visited(index, pod('a/x', { key: 'v3', other: 'v1' })), []);
});
