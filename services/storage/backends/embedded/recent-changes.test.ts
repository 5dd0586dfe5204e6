import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { type Change, type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { maxBatchChanges, maxPageBytes } from '../page-bounds.ts';
import { openEmbeddedStorage } from './embedded-storage.ts';
import { RecentChanges } from './recent-changes.ts';

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });
const key = (name: string): StorageKey => storageKeyFrom(`/core/configmaps/ns/${name}`);

/** Everything that happened up to a revision, with bytes as text. */
async function changesUntil(storage: Storage, revision: number) {
  const found: Change[] = [];
  for await (const batch of storage.changes({ from: 'window-start' }, call())) {
    found.push(...batch.changes);
    if (batch.revision >= revision) break;
  }
  return found.map(({ value, previousValue, ...change }) => ({
    ...change,
    value: String(Buffer.from(value)),
    previousValue: String(Buffer.from(previousValue)),
  }));
}

test('memory and the log have the same changes, also for readers far behind', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-store-'));
  try {
    const value = (text: string) => new Uint8Array(Buffer.from(text));
    const writes = [
      {
        puts: [
          { key: key('a'), value: value('1') },
          { key: key('b'), value: value('2') },
        ],
        deletes: [],
      },
      { puts: [{ key: key('a'), value: value('3') }], deletes: [key('b'), key('absent')] },
      { puts: [{ key: key('b'), value: value('4') }], deletes: [] },
      { puts: [], deletes: [key('a')] },
    ];
    let revision = 0;
    const told = await (async () => {
      await using storage = await openEmbeddedStorage({ directory });
      for (const write of writes)
        ({ revision } = await storage.transact({ preconditions: [], ...write }, call()));
      return await changesUntil(storage, revision);
    })();
    assert.deepEqual(
      told.map(({ type, key: changed, revision: at }) => [type, changed.split('/').at(-1), revision - at]),
      [
        ['created', 'a', 3],
        ['created', 'b', 3],
        ['updated', 'a', 2],
        ['deleted', 'b', 2],
        ['created', 'b', 1],
        ['deleted', 'a', 0],
      ],
    );
    await using storage = await openEmbeddedStorage({ directory });
    assert.deepEqual(await changesUntil(storage, revision), told);
    const more = maxBatchChanges + 10;
    for (let i = 0; i < more; i++) {
      const puts = [{ key: key('c'), value: value(String(i)) }];
      ({ revision } = await storage.transact({ preconditions: [], puts, deletes: [] }, call()));
    }
    const all = await changesUntil(storage, revision);
    assert.deepEqual(all.slice(0, told.length), told);
    assert.deepEqual(
      all.slice(told.length).map(change => change.value),
      Array.from({ length: more }, (_, i) => String(i)),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

const change = (revision: number, size: number): Change => ({
  type: 'created',
  key: key('a'),
  revision,
  committedAt: 0,
  value: new Uint8Array(size),
  previousValue: new Uint8Array(0),
});

test('memory is limited in revisions and bytes, and a repeated revision is ignored', () => {
  const recent = new RecentChanges();
  for (let revision = 1; revision <= maxBatchChanges + 1; revision++) recent.add(revision, []);
  assert.deepEqual([recent.get(1), recent.get(2)], [undefined, []]);
  const half = maxPageBytes / 2;
  recent.add(2000, [change(2000, half)]);
  recent.add(2001, [change(2001, half - 100)]);
  assert.deepEqual([recent.get(1001), recent.get(2000)?.length], [[], 1]);
  recent.add(2001, [change(2001, half)]);
  assert.deepEqual([recent.get(2000), recent.get(2001)?.[0]?.value.length], [undefined, half]);
  recent.add(2002, [change(2002, 2 * maxPageBytes)]);
  assert.deepEqual([recent.get(2001), recent.get(2002)], [undefined, undefined]);
});
