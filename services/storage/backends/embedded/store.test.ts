import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { open } from 'lmdb';
import { compact } from './compact.ts';
import { openEmbeddedStorage } from './embedded-storage.ts';
import { list } from './list.ts';
import { openStore } from './store.ts';
import { transact } from './transact.ts';

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });

async function withDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-store-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

test('a directory in use is refused by name, by the same and by another process', () =>
  withDirectory(async directory => {
    const storage = await openEmbeddedStorage({ directory });
    const inUse = new RegExp(`${directory} is in use by process ${process.pid}`);
    await assert.rejects(openEmbeddedStorage({ directory }), inUse);
    const child = spawn(process.execPath, [join(import.meta.dirname, 'crash-writer.ts'), directory], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const closed = once(child, 'close');
    let output = '';
    for await (const chunk of child.stderr) output += chunk;
    assert.deepEqual([(await closed)[0], inUse.test(output)], [1, true]);
    await storage[Symbol.asyncDispose]();
    await (await openEmbeddedStorage({ directory }))[Symbol.asyncDispose]();
  }));

test('the lock of a process that ended is taken over, also if its id is reused', () =>
  withDirectory(async directory => {
    for (const [index, text] of [
      JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1' }),
      JSON.stringify({ pid: process.pid, startedAt: '1' }),
      '',
    ].entries()) {
      await writeFile(join(directory, `lock.${3 * index + 5}`), text);
      await (await openEmbeddedStorage({ directory }))[Symbol.asyncDispose]();
    }
  }));

test('only one of many concurrent starts gets a directory with a stale lock', () =>
  withDirectory(async directory => {
    await writeFile(join(directory, 'lock.3'), '');
    const opened = await Promise.allSettled(
      Array.from({ length: 8 }, () => openEmbeddedStorage({ directory })),
    );
    const winners = opened.filter(result => result.status === 'fulfilled');
    assert.equal(winners.length, 1);
    for (const winner of winners) await winner.value[Symbol.asyncDispose]();
  }));

test('a file that is not a store is refused, and an empty one becomes a store', () =>
  withDirectory(async directory => {
    const path = join(directory, 'store.mdb');
    for (const content of ['short', 'x'.repeat(8192)]) {
      await writeFile(path, content);
      await assert.rejects(openStore(directory, Date.now), {
        name: 'Refusal',
        message: /store\.mdb is not a store/,
      });
    }
    await writeFile(path, '');
    await (await openStore(directory, Date.now))[Symbol.asyncDispose]();
    await (await openStore(directory, Date.now))[Symbol.asyncDispose]();
  }));

test('compaction deletes history, and its space is reused', () =>
  withDirectory(async directory => {
    await using store = await openStore(directory, Date.now);
    const key = storageKeyFrom('/core/configmaps/ns/a');
    const write = async (): Promise<number> => {
      const puts = [{ key, value: new Uint8Array(20_000) }];
      return (await transact(store, { preconditions: [], puts, deletes: [] }, call())).revision;
    };
    const sizes: number[] = [];
    for (let round = 0; round < 6; round++) {
      const writes = await Promise.all(Array.from({ length: 200 }, write));
      await compact(store, Math.max(...writes));
      store.snapshot();
      assert.equal(store.log.getKeysCount(), 0);
      assert.equal(store.history.getKeysCount(), 0);
      sizes.push((await stat(join(directory, 'store.mdb'))).size);
    }
    assert.ok(sizes.at(-1)! <= sizes[1]! * 1.5, `the file stays as large as one round needs: ${sizes}`);
  }));

test('unfinished pages of an older revision leave no open reader', () =>
  withDirectory(async directory => {
    await using store = await openStore(directory, Date.now);
    const keys = ['a', 'b', 'c'].map(name => storageKeyFrom(`/core/configmaps/ns/${name}`));
    const writeAll = async (text: string): Promise<number> => {
      const puts = keys.map(key => ({ key, value: Buffer.from(text) }));
      return (await transact(store, { preconditions: [], puts, deletes: [] }, call())).revision;
    };
    const atRevision = await writeAll('old');
    // More pages than the store has places for readers, each from another state of the store.
    for (let i = 0; i < 200; i++) {
      await writeAll(`${i}`);
      const page = list(store, { prefix: storageKeyFrom('/core/configmaps/ns/'), limit: 1, atRevision });
      assert.deepEqual([page.records.length, page.remaining], [1, 2]);
    }
  }));

test('a closed store refuses calls and ends its streams', () =>
  withDirectory(async directory => {
    const storage = await openEmbeddedStorage({ directory });
    const stream = storage.changes({ after: 1 }, call())[Symbol.asyncIterator]();
    const next = Promise.resolve(stream.next());
    const rejected = assert.rejects(next, { kind: 'unavailable' });
    await new Promise(resolve => setImmediate(resolve));
    await storage[Symbol.asyncDispose]();
    await rejected;
    await assert.rejects(storage.get(storageKeyFrom('/core/configmaps/ns/a'), call()), {
      kind: 'unavailable',
    });
  }));

test('the store is readable by its owner only, also if it was readable by others before', () =>
  withDirectory(async parent => {
    const directory = join(parent, 'store');
    const modes = async () => {
      const names = (await readdir(directory)).sort();
      assert.ok(names.includes('store.mdb') && names.includes('store.mdb-lock'), names.join());
      const found = await Promise.all(['', ...names].map(name => stat(join(directory, name))));
      return [...new Set(found.map(({ mode }) => (mode & 0o777).toString(8)))];
    };
    const key = storageKeyFrom('/core/configmaps/ns/a');
    {
      await using store = await openStore(directory, Date.now);
      assert.deepEqual(await modes(), ['700', '600']);
      const puts = [{ key, value: Buffer.from('kept') }];
      await transact(store, { preconditions: [], puts, deletes: [] }, call());
    }
    await chmod(directory, 0o755);
    await chmod(join(directory, 'store.mdb'), 0o644);
    await chmod(join(directory, 'store.mdb-lock'), 0o664);
    await using store = await openStore(directory, Date.now);
    assert.deepEqual(await modes(), ['700', '600']);
    const { records } = list(store, { prefix: storageKeyFrom('/core/configmaps/ns/'), limit: 1 });
    assert.deepEqual(
      records.map(({ value }) => value.toString()),
      ['kept'],
    );
  }));

test('a growing store has one memory map of its file', { skip: process.platform !== 'linux' }, () =>
  withDirectory(async directory => {
    const store = await openStore(directory, Date.now);
    const value = Buffer.alloc(100_000, 7);
    for (let i = 0; i < 100; i++) {
      const key = storageKeyFrom(`/core/configmaps/a/x${i}`);
      await transact(store, { preconditions: [], puts: [{ key, value }], deletes: [] }, call());
    }
    const maps = (await readFile('/proc/self/maps', 'utf8')).split('\n');
    const file = join(directory, 'store.mdb');
    assert.equal(maps.filter(line => line.endsWith(file)).length, 1);
    await store[Symbol.asyncDispose]();
  }),
);

test('a store with another page size can be opened', () =>
  withDirectory(async directory => {
    const path = join(directory, 'store.mdb');
    const older = open({ path, noSubdir: true, encoding: 'binary', keyEncoding: 'binary', pageSize: 4096 });
    await older
      .openDB({ name: 'log', encoding: 'binary', keyEncoding: 'binary' })
      .put(Buffer.of(0), Buffer.of(1));
    await older.close();
    const store = await openStore(directory, Date.now);
    const key = storageKeyFrom('/core/configmaps/a/x');
    const puts = [{ key, value: Buffer.alloc(3000, 7) }];
    const { revision } = await transact(store, { preconditions: [], puts, deletes: [] }, call());
    await store[Symbol.asyncDispose]();
    const repeated = await openStore(directory, Date.now);
    assert.equal(repeated.snapshot().revision, revision);
    assert.deepEqual(repeated.current.get(repeated.layout.toBytes(key)), puts[0]?.value);
    await repeated[Symbol.asyncDispose]();
  }));
