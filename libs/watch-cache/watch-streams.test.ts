import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector, parseLabelSelector } from '@binnacle/api-objects';
import type { CacheQuery, WatchEncoding, Watcher } from './contract/contract.ts';
import {
  type CacheUnderTest,
  configMaps,
  settle,
  startCache,
  watchInto,
} from './test-drivers/cache-under-test.ts';
import { preparedEncoding } from './test-drivers/prepared-encoding.ts';
import { createRandom } from './test-drivers/random-queries.ts';
import { lineEncoding, RecordingSink } from './test-drivers/recording-sink.ts';
import { StreamModel } from './test-drivers/stream-model.ts';

const seeds = 90;
/** From this seed on, most watches require prepared objects. */
const firstPreparedSeed = 61;
const steps = 150;

const queries: readonly CacheQuery[] = [
  {},
  { namespace: 'a' },
  { namespace: 'b' },
  { labelSelector: parseLabelSelector('app=web') },
  { labelSelector: parseLabelSelector('app!=web') },
  { labelSelector: parseLabelSelector('app in (web,db)'), namespace: 'a' },
  { labelSelector: parseLabelSelector('app in (db)') },
  { labelSelector: parseLabelSelector('app in (web,none),app!=none') },
  { fieldSelector: parseFieldSelector('metadata.name=x1') },
  { fieldSelector: parseFieldSelector('metadata.name=x2'), namespace: 'b' },
  { fieldSelector: parseFieldSelector('metadata.namespace=a,metadata.name!=x3') },
];

interface Run {
  readonly query: CacheQuery;
  readonly after: number | undefined;
  /** The revision of the cache when the watcher was added. */
  readonly joinedAt: number;
  readonly sink: RecordingSink;
  readonly watcher: Watcher;
  /** The revision at which the watch was closed. */
  closedAt: number | undefined;
}

class Scenario {
  readonly #t: CacheUnderTest;
  readonly #random: (below: number) => number;
  /** Undefined: no watch requires prepared objects. */
  readonly #prepared: WatchEncoding | undefined;
  readonly runs: Run[] = [];
  delivered: number;

  constructor(t: CacheUnderTest, random: (below: number) => number, prepared?: WatchEncoding) {
    this.#t = t;
    this.#random = random;
    this.#prepared = prepared;
    this.delivered = t.log.revision;
  }

  async step(): Promise<void> {
    const choice = this.#random(100);
    if (choice < 40) this.#write();
    else if (choice < 60) this.#deliver();
    else if (choice < 75) this.#join();
    else if (choice < 80) this.#close();
    else if (choice < 86) this.#pauseOrResume();
    else if (choice < 90) this.#t.clock.advance(10_000);
    else if (choice < 92) this.#gap();
    else await settle(1 + this.#random(3));
  }

  async finish(): Promise<void> {
    for (const run of this.runs) this.#resume(run.sink);
    await settle();
    this.#t.log.deliver();
    this.delivered = this.#t.log.revision;
    for (let i = 0; i < 20; i++) {
      this.#t.clock.advance(100);
      await settle();
    }
  }

  #write(): void {
    const { log } = this.#t;
    const writes = new Map<string, { app: string } | undefined>();
    const count = 1 + this.#random(2);
    for (let i = 0; i < count; i++) {
      const path = `${'ab'[this.#random(2)]}/x${this.#random(5)}`;
      const app = ['web', 'db', 'none'][this.#random(3)] ?? 'web';
      writes.set(path, this.#random(4) === 0 ? undefined : { app });
    }
    log.transact(
      [...writes].map(([path, labels]) => ({
        definition: configMaps,
        path,
        sketch: labels === undefined ? undefined : { labels },
      })),
    );
  }

  #deliver(): void {
    const { log } = this.#t;
    const upTo = Math.min(log.revision, this.delivered + 1 + this.#random(8));
    log.deliver({ upTo, separately: this.#random(2) === 0 });
    this.delivered = upTo;
  }

  #join(): void {
    const { configMaps: type } = this.#t;
    const query = queries[this.#random(queries.length)] ?? {};
    const isInitial = this.#random(3) === 0;
    const span = type.revision - type.oldestRevision + 4;
    const after = isInitial ? undefined : type.oldestRevision - 1 + this.#random(span + 1);
    const start = after === undefined ? { initial: true as const, bookmark: true } : { after };
    const sink = new RecordingSink(4000);
    const encoding = this.#prepared !== undefined && this.#random(3) > 0 ? this.#prepared : lineEncoding();
    const { watcher } = watchInto(type, { ...query, start, bookmarks: true, encoding }, sink);
    this.runs.push({ query, after, joinedAt: type.revision, sink, watcher, closedAt: undefined });
  }

  #close(): void {
    const run = this.runs[this.#random(this.runs.length + 1)];
    if (run === undefined || run.sink.ends.length > 0) return;
    run.watcher.close({ bookmark: this.#random(2) === 0 });
    run.closedAt = run.watcher.revision;
  }

  #pauseOrResume(): void {
    const run = this.runs[this.#random(this.runs.length + 1)];
    if (run === undefined) return;
    if (run.sink.isPaused) this.#resume(run.sink);
    else run.sink.isPaused = true;
  }

  #resume(sink: RecordingSink): void {
    sink.isPaused = false;
    sink.drain();
  }

  #gap(): void {
    const { log } = this.#t;
    if (this.#random(2) === 0) {
      log.lose();
      this.delivered = log.revision;
    }
    log.gap();
  }
}

function check(run: Run, model: StreamModel, delivered: number): void {
  const { sink, query, after } = run;
  assert.ok(sink.ends.length <= 1, 'ended more than once');
  checkBookmarks(run);
  const seen = sink.detailedEvents;
  const [end] = sink.ends;
  const initialEnd = sink.frames.find(frame => frame.isInitialEnd)?.revision;
  if (after === undefined && initialEnd === undefined) {
    assert.ok(end !== undefined, 'the initial part was never finished');
    return;
  }
  const start = after ?? initialEnd ?? 0;
  if (after === undefined) assert.ok(start >= run.joinedAt, `${start} is older than ${run.joinedAt}`);
  const upTo = run.closedAt ?? delivered;
  const first = after === undefined ? model.initial(query, start) : [];
  const expected = [...first, ...model.events(query, start, upTo)];
  const isPrefix = end === 'expired' || end === 'slow';
  assert.deepEqual(seen, isPrefix ? expected.slice(0, seen.length) : expected);
}

function checkBookmarks({ sink, after }: Run): void {
  let event = after ?? 0;
  let bookmark = 0;
  let isInitialOver = after !== undefined;
  for (const frame of sink.frames) {
    if (frame.type === 'BOOKMARK') {
      assert.ok(frame.revision >= event, `bookmark ${frame.revision} after event ${event}`);
      assert.ok(frame.revision >= bookmark, `bookmark ${frame.revision} after bookmark ${bookmark}`);
      bookmark = frame.revision;
      isInitialOver ||= frame.isInitialEnd;
    } else {
      assert.ok(frame.revision > bookmark, `event ${frame.revision} after bookmark ${bookmark}`);
      if (isInitialOver) assert.ok(frame.revision >= event, `event ${frame.revision} after event ${event}`);
      event = Math.max(event, frame.revision);
    }
  }
}

for (let seed = 1; seed <= seeds; seed++) {
  test(`every watch gets the changes of the log, whatever happens meanwhile (seed ${seed})`, async () => {
    const random = createRandom(seed);
    await using t = await startCache({
      before: log => {
        for (let i = 0; i < 4; i++) log.put(configMaps, `a/x${i}`, { labels: { app: i % 2 ? 'web' : 'db' } });
      },
      limits: {
        watchCacheMaxBurstBytes: seed % 3 === 0 ? 200 : 100_000,
        watchCacheMaxEvents: seed % 2 === 0 ? 30 : 100_000,
      },
    });
    const prepared = preparedEncoding(() => random(4));
    const scenario = new Scenario(t, random, seed < firstPreparedSeed ? undefined : prepared);
    for (let i = 0; i < steps; i++) await scenario.step();
    await scenario.finish();
    const model = new StreamModel(t.log.history);
    for (const run of scenario.runs) check(run, model, scenario.delivered);
    const listed = t.configMaps.list({}).objects.map(object => `${object.namespace}/${object.name}`);
    const expected = model.initial({}, scenario.delivered).map(text => text.split(/[ @]/)[1]);
    assert.deepEqual(listed, expected);
  });
}
