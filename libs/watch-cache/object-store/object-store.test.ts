import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeStored } from '@binnacle/codecs';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { configMaps, pods } from '../test-drivers/cache-under-test.ts';
import { createObject } from '../test-drivers/change-log.ts';
import { ObjectStore } from './object-store.ts';
import { sameStoredLabels, storedLabel, storedLabelName, storedLabels } from './stored-labels.ts';
import { ownCopy, StoredObject } from './stored-object.ts';

function stored(path: string, revision = 1): StoredObject {
  const bytes = ownCopy(encodeStored(createObject(configMaps, path, {})));
  const key = storageKeyFrom(`${configMaps.storagePrefix}${path}`);
  return new StoredObject(configMaps, { key, revision, stored: bytes });
}

test('objects are ordered by key after any changes, and returned lists do not change later', () => {
  const store = new ObjectStore();
  const model = new Map<string, StoredObject>();
  const given: { readonly list: readonly StoredObject[]; readonly keys: string[] }[] = [];
  let state = 7;
  for (let i = 0; i < 2000; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    const object = stored(`${['a', 'a-b', 'a.c', 'b'][state % 4]}/n${(state >> 4) % 60}`, i);
    if ((state >> 12) % 3 === 0) {
      assert.equal(store.delete(object.key), model.get(object.key));
      model.delete(object.key);
    } else {
      assert.equal(store.put(object), model.get(object.key));
      model.set(object.key, object);
    }
    if (i % 50 !== 0) continue;
    const expected = [...model.keys()].sort();
    assert.deepEqual(
      store.all().map(each => each.key),
      expected,
    );
    given.push({ list: store.all(), keys: expected });
    const inB = expected.filter(key => key.startsWith(`${configMaps.storagePrefix}b/`));
    assert.deepEqual(
      store.inNamespace('b').map(each => each.key),
      inB,
    );
  }
  for (const { list, keys } of given)
    assert.deepEqual(
      list.map(each => each.key),
      keys,
    );
});

const labelCases: readonly { readonly name: string; readonly metadata: object }[] = [
  { name: 'none', metadata: { name: 'x' } },
  { name: 'first', metadata: { labels: { a: 'b' }, name: 'x' } },
  { name: 'last', metadata: { name: 'x', annotations: { labels: '{"a":"no"}' }, labels: { a: 'b', c: '' } } },
  {
    name: 'after nested values',
    metadata: { ownerReferences: [{ a: [1, { b: ']}' }] }], labels: { a: 'b' } },
  },
  {
    name: 'after text with marks',
    metadata: { annotations: { q: '"\\",}{', u: '\u2028é' }, labels: { é: '"' } },
  },
  { name: 'after numbers and null', metadata: { generation: 12, x: null, y: true, labels: { a: 'b' } } },
  { name: 'null', metadata: { name: 'x', labels: null } },
  { name: 'empty', metadata: { name: 'x', labels: {} } },
  {
    name: 'names that begin or end alike',
    metadata: { labels: { a: 'a.b', 'x/a': '"a":"no"', 'a.b': '', ab: 'a', aa: '\\' }, name: 'x' },
  },
];

for (const { name, metadata } of labelCases) {
  test(`labels are found in the stored bytes: ${name}`, () => {
    const object = { ...createObject(configMaps, 'a/x', {}), metadata, data: { labels: 'no' } };
    // Some cases are not valid metadata: the scan must skip their other members too.
    const bytes = encodeStored(object as unknown as Parameters<typeof encodeStored>[0]);
    const { labels } = metadata as { labels?: object | null };
    assert.deepEqual({ ...storedLabels(bytes) }, labels ?? {});
    const expected = (labels ?? {}) as Readonly<Record<string, string>>;
    for (const label of ['a', 'c', 'é', 'x/a', 'a.b', 'ab', 'aa', 'b', '', 'labels', 'constructor'])
      assert.equal(
        storedLabel(bytes, storedLabelName(label)),
        Object.hasOwn(expected, label) ? expected[label] : undefined,
        label,
      );
  });
}

test('fields include name, namespace and the selectable fields of the kind', () => {
  const bytes = encodeStored(createObject(pods, 'a/p', { spec: { nodeName: 'n1', containers: [] } }));
  const key = storageKeyFrom(`${pods.storagePrefix}a/p`);
  const { fields } = new StoredObject(pods, { key, revision: 1, stored: bytes });
  assert.equal(fields['spec.nodeName'], 'n1');
  assert.equal(fields['metadata.name'], 'p');
  assert.equal(fields['metadata.namespace'], 'a');
});

test('derived values of an object are computed once', () => {
  const object = stored('a/x');
  const slot = Symbol('slot');
  let computed = 0;
  const compute = () => ++computed;
  assert.equal(object.derived(slot, compute), 1);
  assert.equal(object.derived(slot, compute), 1);
});

test('copied bytes do not keep a larger buffer alive', () => {
  const message = Buffer.alloc(1000, 7);
  const copy = ownCopy(message.subarray(10, 20));
  assert.equal(copy.buffer.byteLength, 10);
  assert.deepEqual(copy, Buffer.alloc(10, 7));
});

test('equal labels share one object, whatever else the objects contain', () => {
  const toBytes = (metadata: object, data = '') =>
    // Some cases are not valid metadata, as above.
    encodeStored({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data } as unknown as Parameters<
      typeof encodeStored
    >[0]);
  const labels = { app: 'web', tier: '' };
  assert.ok(
    sameStoredLabels(toBytes({ name: 'x', labels }, 'a'), toBytes({ uid: 'y', labels, name: 'x' }, 'b')),
  );
  assert.ok(sameStoredLabels(toBytes({ name: 'x' }), toBytes({ annotations: { labels: '{}' } })));
  for (const other of [{ app: 'web' }, { app: 'web', tier: 'x' }, { app: 'we', tier: 'b' }, {}, undefined])
    assert.ok(!sameStoredLabels(toBytes({ name: 'x', labels }), toBytes({ name: 'x', labels: other })));
});

test('a version derived from another one is the same object at its own revision', () => {
  const first = stored('a/x', 1);
  const { key, stored: bytes } = stored('a/x', 2);
  const second = new StoredObject(configMaps, { key, revision: 2, stored: bytes }, first);
  assert.deepEqual([second.key, second.namespace, second.name, second.revision], [key, 'a', 'x', 2]);
});
