import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createStorageService } from '@binnacle/storage';
import type { LocalStorageService } from '@binnacle/storage/testing';
import { type ChangesStart, type Storage, StorageError } from '@binnacle/storage-contract';
import { createLogger, createMetrics } from '@binnacle/telemetry';
import { createDirectFeed, createWatchCache, type WatchCache } from '@binnacle/watch-cache';
import { type LineWatch, listInitialLines, listLines, watchLines } from './line-watch.ts';
import { call, configMaps, readHistory, secrets, write, writeMuch } from './storage-writers.ts';

let directory: string;
let service: LocalStorageService;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-watch-cache-'));
  service = await createStorageService({
    backend: { kind: 'embedded', directory },
    log: createLogger({ level: 'error' }),
    metrics: createMetrics({ process: false }),
  });
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

function cacheOn(changes: Storage['changes'] = service.storage.changes.bind(service.storage)): WatchCache {
  const storage: Storage = {
    get: (...rest) => service.storage.get(...rest),
    list: (...rest) => service.storage.list(...rest),
    transact: (...rest) => service.storage.transact(...rest),
    typeRevision: (...rest) => service.storage.typeRevision(...rest),
    compact: (...rest) => service.storage.compact(...rest),
    changes,
  };
  const definitions = [configMaps, secrets];
  return createWatchCache({ definitions, storage, feed: createDirectFeed({ storage }) });
}

test('watches that start during writes get every change once in order', async () => {
  await writeMuch(service.storage, 3);
  await using cache = cacheOn();
  await cache.ready();
  const type = cache.type(configMaps);
  const watches: { readonly watch: LineWatch; readonly after: number | undefined }[] = [];
  const writing = writeMuch(service.storage, 40);
  for (let i = 0; i < 30; i++) {
    await new Promise(resolve => setTimeout(resolve, 2));
    const after = i % 3 === 0 ? undefined : Math.max(type.oldestRevision, type.revision - i);
    const start = after === undefined ? { initial: true as const, bookmark: true } : { after };
    watches.push({ watch: watchLines(type, start), after });
  }
  await writing;
  const last = await write(service.storage, configMaps, 'z/last', 'last');
  await type.waitFor(last, call());
  const history = await readHistory(service.storage, configMaps, last);
  for (const { watch, after } of watches) {
    await untilLast(watch, last);
    const begin = after ?? watch.initialEnd() ?? 0;
    const first = after === undefined ? listInitialLines(history, begin) : [];
    assert.deepEqual(watch.lines(), [...first, ...listLines(history, begin)]);
    assert.deepEqual(watch.ends, []);
  }
});

test('a new cache resumes watches of another one, back to the start of the window', async () => {
  await writeMuch(service.storage, 10);
  const last = await write(service.storage, configMaps, 'z/last', 'last');
  await using cache = cacheOn();
  await cache.ready();
  const type = cache.type(configMaps);
  const history = await readHistory(service.storage, configMaps, last);
  for (const { revision } of history.filter((_, i) => i % 7 === 0)) {
    const watch = watchLines(type, { after: revision });
    if (revision < last) await untilLast(watch, last);
    assert.deepEqual(watch.lines(), listLines(history, revision));
  }
});

test('a broken stream is resumed at its position', async () => {
  let streams = 0;
  await using cache = cacheOn(async function* (start: ChangesStart, context) {
    let batches = 0;
    streams++;
    for await (const batch of service.storage.changes(start, context)) {
      yield batch;
      if (++batches === 3) throw new StorageError('unavailable', 'the connection was cut');
    }
  });
  await cache.ready();
  const type = cache.type(configMaps);
  const watch = watchLines(type, { initial: true, bookmark: true });
  await writeMuch(service.storage, 20);
  const last = await write(service.storage, configMaps, 'z/last', 'last');
  await untilLast(watch, last);
  assert.ok(streams > 1);
  const history = await readHistory(service.storage, configMaps, last);
  const begin = watch.initialEnd() ?? 0;
  assert.deepEqual(watch.lines(), [...listInitialLines(history, begin), ...listLines(history, begin)]);
});

test('after a compaction beyond its position the cache lists again and ends its watches', async () => {
  let isCut = false;
  const cuts = new Set<() => void>();
  await using cache = cacheOn(async function* (start: ChangesStart, context) {
    if (isCut) throw new StorageError('unavailable', 'the connection is cut');
    const cut = new AbortController();
    cuts.add(() => cut.abort());
    const signal = AbortSignal.any([context.signal, cut.signal]);
    yield* service.storage.changes(start, { ...context, signal });
  });
  await cache.ready();
  const type = cache.type(configMaps);
  await type.waitFor(await write(service.storage, configMaps, 'a/x', 'v1'), call());
  const watch = watchLines(type, { after: type.revision });
  isCut = true;
  for (const cut of cuts) cut();
  await write(service.storage, configMaps, 'a/x', 'v2');
  const last = await write(service.storage, configMaps, 'a/x', 'v3');
  await service.storage.compact(last, call());
  isCut = false;
  await type.waitFor(last, call());
  assert.deepEqual(watch.ends, ['expired']);
  assert.equal(type.get('a', 'x')?.labels['text'], 'v3');
  const later = watchLines(type, { after: last });
  const next = await write(service.storage, configMaps, 'a/x', 'v4');
  await untilLast(later, next);
  assert.deepEqual(later.lines(), [`MODIFIED /core/configmaps/a/x@${next} v4`]);
});

async function untilLast(watch: LineWatch, revision: number): Promise<void> {
  const end = Date.now() + 20_000;
  while (!watch.lines().some(line => line.includes(`@${revision} `))) {
    assert.ok(
      Date.now() < end,
      `the change at ${revision} did not come: ${watch.lines().at(-1)}, ${watch.ends}`,
    );
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
