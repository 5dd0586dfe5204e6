import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CachedObject, WatchEncoding } from './contract/contract.ts';
import {
  type CacheUnderTest,
  configMaps,
  settle,
  startCache,
  watchInto,
} from './test-drivers/cache-under-test.ts';
import { lineEncoding } from './test-drivers/recording-sink.ts';

/** Prepares objects when the test says so. */
class Workshop {
  readonly #ready = new WeakSet<Uint8Array>();
  /** Each call with the names of its objects and a function that finishes it. */
  readonly calls: {
    readonly names: string[];
    finish(): Promise<void>;
    fail(error: Error): Promise<void>;
  }[] = [];

  encoding(id = 'prepared'): WatchEncoding {
    const isReady = ({ stored }: CachedObject) => this.#ready.has(stored);
    const lines = lineEncoding(id);
    return {
      ...lines,
      event(event) {
        assert.ok(isReady(event.object), 'nothing is shown before it is ready');
        return lines.event(event);
      },
      preparation: { isReady, prepare: objects => this.#prepare(objects.filter(one => !isReady(one))) },
    };
  }

  #prepare(objects: readonly CachedObject[]): Promise<void> | undefined {
    if (objects.length === 0) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.calls.push({
      names: objects.map(({ name, revision }) => `${name}@${revision}`),
      async finish() {
        for (const { stored } of objects) ready.add(stored);
        resolve();
        await settle();
      },
      async fail(error) {
        reject(error);
        await settle();
      },
    });
    const ready = this.#ready;
    return promise;
  }
}

test('live watches wait for a change that is being prepared, and later changes keep their order', async () => {
  await using t = await startCache();
  const workshop = new Workshop();
  const { sink } = watchInto(t.configMaps, { start: { after: 0 }, encoding: workshop.encoding() });
  const other = watchInto(t.configMaps, { start: { after: 0 } });
  await settle();
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  t.log.put(configMaps, 'a/y');
  t.log.put(configMaps, 'a/z');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, []);
  assert.deepEqual(other.sink.events, ['ADDED a/x@1', 'ADDED a/y@2', 'ADDED a/z@3']);
  assert.deepEqual(
    workshop.calls.map(call => call.names),
    [['x@1']],
  );
  await workshop.calls[0]?.finish();
  assert.deepEqual(sink.events, ['ADDED a/x@1']);
  assert.deepEqual(workshop.calls[1]?.names, ['y@2', 'z@3'], 'what came meanwhile is one call');
  await workshop.calls[1]?.finish();
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  await workshop.calls[2]?.finish();
  assert.deepEqual(sink.events, other.sink.events);
  assert.equal(sink.events.length, 4);
});

test('the watches of a group share a prepared change', async () => {
  await using t = await startCache();
  const workshop = new Workshop();
  const sinks = ['p', 'p', 'q'].map(
    id => watchInto(t.configMaps, { start: { after: 0 }, encoding: workshop.encoding(id) }).sink,
  );
  await settle();
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  await workshop.calls[0]?.finish();
  for (const call of workshop.calls.slice(1)) await call.finish();
  for (const sink of sinks) assert.deepEqual(sink.events, ['ADDED a/x@1']);
});

test('initial objects are prepared before they are sent', async () => {
  const before = (log: CacheUnderTest['log']) => {
    for (let i = 0; i < 130; i++) log.put(configMaps, `a/x${1000 + i}`);
  };
  await using t = await startCache({ before });
  const workshop = new Workshop();
  const { sink } = watchInto(t.configMaps, {
    start: { initial: true, bookmark: true },
    encoding: workshop.encoding(),
  });
  await settle();
  assert.equal(workshop.calls[0]?.names.length, 100);
  assert.equal(sink.frames.length, 0);
  await workshop.calls[0]?.finish();
  assert.equal(sink.events.length, 100);
  await workshop.calls[1]?.finish();
  assert.equal(sink.events.length, 130);
  assert.equal(sink.bookmarks.length, 1);
  assert.equal(workshop.calls.length, 2);
});

test('a change that cannot be prepared ends the watches that wait for it', async () => {
  await using t = await startCache();
  const workshop = new Workshop();
  const { sink } = watchInto(t.configMaps, { start: { after: 0 }, encoding: workshop.encoding() });
  await settle();
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  await workshop.calls[0]?.fail(new Error('out of order'));
  assert.deepEqual(sink.ends, ['failed']);
  assert.deepEqual(sink.events, []);
});

test('a watch that is closed while it waits gets nothing more', async () => {
  await using t = await startCache();
  const workshop = new Workshop();
  const { sink, watcher } = watchInto(t.configMaps, { start: { after: 0 }, encoding: workshop.encoding() });
  await settle();
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  watcher.close();
  await workshop.calls[0]?.finish();
  assert.deepEqual(sink.ends, ['closed']);
  assert.deepEqual(sink.events, []);
});
