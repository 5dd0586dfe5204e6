import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { renderStoredList } from './stored-list.ts';
import {
  decodeStored,
  decodeStoredMetadata,
  encodeLongStored,
  encodeStored,
  hasTag,
  itemPrefix,
  type MetadataBytes,
  objectPrefix,
  renderedSize,
  renderStored,
  type ServedBytes,
  storedFromJson,
  storedItem,
  storedMetadata,
  storedParts,
  writeRendered,
  writeStorableJson,
} from './stored-object.ts';

const object: ApiObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', resourceVersion: '7', labels: { ö: '"' } },
  data: { k: 'snow ☃' },
};

/** Encodes an object of a kind with a single version. */
function served(...object: Parameters<typeof encodeStored>): ServedBytes {
  return encodeStored(...object) as ServedBytes; // The kind has a single version.
}

test('the stored form has a header, the fixed prefix, and no resourceVersion', () => {
  const stored = served(object);
  const { prefixLength, json } = storedParts(stored);
  assert.equal(stored[0], 1);
  assert.equal(stored.readUInt32BE(1), prefixLength);
  assert.equal(
    json.subarray(0, prefixLength).toString(),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{',
  );
  assert.equal(json.includes('resourceVersion'), false);
});

test('bytes that are not known to be in the version and names of the client do not compile as rendered bytes', () => {
  const stored: Buffer = encodeStored(object);
  // @ts-expect-error stored bytes may be of another version or vocabulary
  assert.ok(renderStored(stored, 42));
  // @ts-expect-error as above
  assert.ok(renderedSize(storedItem(stored, 42)));
  // @ts-expect-error as above
  assert.ok(renderStoredList({ kind: 'L', apiVersion: 'v1', metadata: {} }, [storedItem(stored, 42)]));
  // @ts-expect-error the metadata may differ from that for clients
  assert.ok(storedMetadata(stored, 42));
  // @ts-expect-error MetadataBytes allow rendering of the metadata only
  assert.ok(renderStored(stored as MetadataBytes, 42));
});

test('a decoded object has the revision as resourceVersion', () => {
  const read = decodeStored(served(object), 42);
  assert.deepEqual(read, { ...object, metadata: { ...object.metadata, resourceVersion: '42' } });
});

test('metadata is decoded without the rest of the object, whatever texts the object has', () => {
  const labels = { '}}': '{"', '\\': '\\"}', ö: '☃' };
  const deep = { ...object, metadata: { name: 'a', labels, managedFields: [{ fieldsV1: { '{': [{}] } }] } };
  for (const { metadata, ...rest } of [object, deep] as ApiObject[])
    for (const tag of [undefined, Buffer.alloc(8, 1)]) {
      const stored = served({ ...rest, metadata }, tag);
      assert.deepEqual(decodeStoredMetadata(stored, 42), decodeStored(stored, 42).metadata);
      const item = storedMetadata(stored, 42);
      const rendered = Buffer.alloc(renderedSize(item, itemPrefix));
      assert.equal(writeRendered(rendered, 0, item, itemPrefix), rendered.length);
      assert.deepEqual(JSON.parse(`${rendered}}`), { metadata: decodeStored(stored, 42).metadata });
    }
  const stored = served(object);
  const broken = Buffer.concat([stored.subarray(0, -'"snow ☃"}}'.length - 1), Buffer.from('no JSON')]);
  assert.equal(decodeStoredMetadata(broken, 1).name, 'a');
  assert.throws(() => decodeStored(broken, 1));
  assert.throws(() => decodeStoredMetadata(stored.subarray(0, 70), 1), /truncated/);
  assert.throws(() => decodeStoredMetadata(Buffer.from('no object'), 1), /an unknown format$/);
  const encrypted = Buffer.from('k8s:enc:aesgcm:v1:key1:bytes');
  assert.throws(
    () => decodeStored(encrypted, 1),
    /are encrypted: storage needs --encryption-provider-config/,
  );
});

test('rendering inserts the revision without parsing', () => {
  const stored = served(object);
  const rendered = renderStored(stored, 123456);
  assert.equal(rendered.length, renderedSize(storedItem(stored, 123456)));
  assert.deepEqual(JSON.parse(rendered.toString()), decodeStored(stored, 123456));
});

test('rendering with another prefix gives a list item or another group alias', () => {
  const stored = served(object);
  const item = JSON.parse(renderStored(stored, 9, itemPrefix).toString()) as object;
  assert.deepEqual(Object.keys(item), ['metadata', 'data']);
  const alias = JSON.parse(
    renderStored(stored, 9, objectPrefix('ConfigMap', 'x/v1')).toString(),
  ) as ApiObject;
  assert.equal(alias.apiVersion, 'x/v1');
  assert.equal(alias.metadata.resourceVersion, '9');
});

test('a list is rendered in few chunks that join to valid JSON', () => {
  for (const count of [0, 1, 2, 500]) {
    const items = Array.from({ length: count }, (_, i) =>
      storedItem(served({ ...object, metadata: { name: `n${i}` } }), i + 1),
    );
    const head = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9' } };
    const rendered = renderStoredList(head, items);
    const buffer = Buffer.alloc(4096);
    // A chunk in the buffer is only valid until the next one is requested.
    const chunks = Array.from(rendered.chunks(buffer), chunk => Buffer.from(chunk));
    assert.equal(Buffer.concat(chunks).length, rendered.size);
    assert.ok(chunks.length <= 3 + Math.ceil((count * 120) / 4000));
    const list = JSON.parse(Buffer.concat(chunks).toString()) as { items: ApiObject[]; metadata: object };
    assert.deepEqual(list.metadata, { resourceVersion: '9' });
    assert.deepEqual(
      list.items.map(item => [item.metadata.name, item.metadata.resourceVersion]),
      items.map((_, i) => [`n${i}`, String(i + 1)]),
    );
  }
});

test('an item that is larger than the buffer is a chunk of its own, in order', () => {
  const items = ['a', 'b'.repeat(500), 'c'].map((value, i) =>
    storedItem(served({ ...object, metadata: { name: `n${i}` }, data: { value } }), 10 ** i),
  );
  const rendered = renderStoredList({ kind: 'L', apiVersion: 'v1', metadata: {} }, items);
  const text = Array.from(rendered.chunks(Buffer.alloc(200)), chunk => chunk.toString()).join('');
  assert.equal(Buffer.byteLength(text), rendered.size);
  const list = JSON.parse(text) as { items: ApiObject[] };
  assert.deepEqual(
    list.items.map(item => item.metadata.resourceVersion),
    ['1', '10', '100'],
  );
});

test('revisions of any length are rendered', () => {
  const stored = served(object);
  for (const revision of [
    0,
    1,
    9,
    10,
    99,
    100,
    12_345,
    999_999,
    1_000_000,
    2 ** 31,
    2 ** 40 + 7,
    Number.MAX_SAFE_INTEGER,
  ]) {
    const { metadata } = JSON.parse(renderStored(stored, revision).toString()) as ApiObject;
    assert.equal(metadata.resourceVersion, String(revision));
  }
});

test('members with integer names, which JavaScript orders first, are written after the metadata', () => {
  const numbered = { ...object, '7': { '1': 'a' }, '0': 'b' };
  const stored = served(numbered, tag);
  assert.equal(storedParts(stored).json.indexOf('{"kind":"ConfigMap","apiVersion":"v1","metadata":{'), 0);
  assert.deepEqual(decodeStored(stored, 7), numbered);
  assert.deepEqual(JSON.parse(renderStored(stored, 7).toString()), numbered);
  assert.equal(decodeStoredMetadata(stored, 7).name, 'a');
  assert.equal(storedFromJson(numbered, Buffer.from(JSON.stringify(numbered))), undefined);
});

test('the stored form can be made from the JSON text of an object', () => {
  const { metadata, ...rest } = object;
  const { resourceVersion: _, ...unversioned } = metadata;
  for (const one of [object, { ...rest, metadata: unversioned }] as ApiObject[])
    for (const rules of [undefined, tag]) {
      const json = Buffer.from(writeStorableJson(one, 100) as string); // Short text: a string, not a promise.
      assert.deepEqual(JSON.parse(json.toString()), one);
      assert.deepEqual(storedFromJson(one, json, rules), encodeStored(one, rules));
      assert.equal(storedFromJson({ ...one, kind: 'Other' }, json), undefined);
      assert.equal(storedFromJson(one, json.subarray(0, 20)), undefined);
      const other = { ...one, metadata: { ...one.metadata, resourceVersion: '8' } };
      assert.equal(storedFromJson(other, json), undefined);
    }
  const inOtherOrder = Buffer.from(
    JSON.stringify({ ...rest, metadata: { name: 'a', resourceVersion: '7' } }),
  );
  assert.equal(storedFromJson(object, inOtherOrder), undefined);
  const bare = { ...rest, metadata: { resourceVersion: '7' } } as ApiObject; // No metadata to store.
  assert.equal(storedFromJson(bare, Buffer.from(writeStorableJson(bare, 100) as string)), undefined);
});

test('invalid stored bytes are an internal error', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('{"a":1}'), Buffer.from([1, 0, 0, 1, 0])]) {
    assert.throws(() => storedParts(bytes), { reason: 'InternalError' });
  }
  assert.throws(() => served({ apiVersion: 'v1', kind: 'X', metadata: { resourceVersion: '1' } }), {
    code: 500,
  });
});

const tag = Buffer.from('anyRules');

test('a tag identifies the rules that an object was stored under, and is not rendered', () => {
  const tagged = served(object, tag);
  const plain = served(object);
  assert.equal(hasTag(tagged, tag), true);
  assert.equal(hasTag(tagged, Buffer.from('otherTag')), false);
  assert.equal(hasTag(plain, tag), false);
  assert.deepEqual(decodeStored(tagged, 7), decodeStored(plain, 7));
  assert.deepEqual(renderStored(tagged, 7), renderStored(plain, 7));
  assert.deepEqual(renderStored(tagged, 7, itemPrefix), renderStored(plain, 7, itemPrefix));
  assert.equal(renderedSize(storedItem(tagged, 7)), renderStored(tagged, 7).length);
});

test('items of a list can be rendered with their kind', () => {
  const items = [storedItem(served(object, tag), 7)];
  const head = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {} };
  const read = (itemPrefix?: Uint8Array | 'stored') => {
    const list = renderStoredList(itemPrefix === undefined ? head : { ...head, itemPrefix }, items);
    const chunks = [...list.chunks(Buffer.alloc(4096))].map(chunk => Buffer.from(chunk));
    assert.equal(Buffer.concat(chunks).length, list.size);
    return JSON.parse(Buffer.concat(chunks).toString()).items[0];
  };
  assert.equal(read().kind, undefined);
  assert.equal(read('stored').kind, 'ConfigMap');
  assert.equal(read(objectPrefix('ConfigMap', 'other/v1')).apiVersion, 'other/v1');
});

test('a long object is encoded in slices, with the same bytes as at once', async () => {
  const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 'é']));
  const object = {
    kind: 'A',
    data,
    apiVersion: 'v1',
    metadata: { resourceVersion: '7', name: 'a' },
  } as ApiObject; // The object has all members of its kind.
  const tag = Buffer.from('12345678');
  const written = encodeLongStored(object, { bytes: 300_000, tag });
  assert.ok(written instanceof Promise);
  assert.deepEqual(await written, served(object, tag));
  assert.deepEqual(encodeLongStored(object, { bytes: 1000 }), served(object));
  const { metadata: _, ...rest } = object;
  const bare = { ...rest, metadata: { resourceVersion: '7' } };
  assert.throws(() => encodeLongStored(bare, { bytes: 300_000 }), /without metadata/);
});
