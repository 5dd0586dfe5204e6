import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDeadline } from '@binnacle/proto';
import { storageKeyFrom } from './keys.ts';
import { listPages } from './list-pages.ts';
import type { ListQuery, RecordPage } from './storage.ts';
import { StorageError } from './storage-error.ts';

const prefix = storageKeyFrom('/core/configmaps/');
const record = (name: string) => ({
  key: storageKeyFrom(`${prefix}a/${name}`),
  value: new Uint8Array(0),
  revision: 3,
});
const call = { signal: new AbortController().signal, deadline: noDeadline };

/** Creates a store that answers with these pages in turn and records its queries. */
function createStore(...pages: readonly (Partial<RecordPage> | StorageError)[]) {
  const asked: ListQuery[] = [];
  const list = async (query: ListQuery): Promise<RecordPage> => {
    const page = pages[asked.length];
    asked.push(query);
    if (page instanceof StorageError) throw page;
    return { records: [], revision: 7, more: false, remaining: 0, ...page };
  };
  return { asked, storage: { list } };
}

async function namesIn(
  storage: ReturnType<typeof createStore>['storage'],
  query: ListQuery,
): Promise<string[]> {
  const names: string[] = [];
  for await (const { records } of listPages(storage, query, { nextCall: () => call }))
    names.push(...records.map(({ key }) => key.slice(prefix.length)));
  return names;
}

test('every page is read after the last key of the previous one, at the revision of the first', async () => {
  const more = { more: true, remaining: 1 };
  const { asked, storage } = createStore(
    { records: [record('x')], ...more },
    { records: [record('y')], ...more, revision: 8 },
    { records: [record('z')], revision: 9 },
  );
  assert.deepEqual(await namesIn(storage, { prefix, limit: 1 }), ['a/x', 'a/y', 'a/z']);
  assert.deepEqual(asked, [
    { prefix, limit: 1 },
    { prefix, limit: 1, startAfter: `${prefix}a/x`, atRevision: 7 },
    { prefix, limit: 1, startAfter: `${prefix}a/y`, atRevision: 7 },
  ]);
});

test('an empty store is one page', async () => {
  const { asked, storage } = createStore({});
  assert.deepEqual(await namesIn(storage, { prefix }), []);
  assert.equal(asked.length, 1);
});

test('a failing page ends the list with its error', async () => {
  const compacted = new StorageError('compacted', 'too old');
  const { storage } = createStore({ records: [record('x')], more: true }, compacted);
  await assert.rejects(namesIn(storage, { prefix }), compacted);
});

test('a reader that stops early reads no further page', async () => {
  const { asked, storage } = createStore({ records: [record('x')], more: true });
  for await (const _page of listPages(storage, { prefix }, { nextCall: () => call })) break;
  assert.equal(asked.length, 1);
});

test('a reader can reduce the size of the next page', async () => {
  const { asked, storage } = createStore({ records: [record('x')], more: true }, { records: [record('y')] });
  let missing = 3;
  const nextLimit = () => missing;
  for await (const { records } of listPages(storage, { prefix }, { nextCall: () => call, nextLimit }))
    missing -= records.length;
  assert.deepEqual(
    asked.map(({ limit }) => limit),
    [3, 2],
  );
});
