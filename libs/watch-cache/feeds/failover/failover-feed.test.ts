import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeFeed, HistoryReceiver } from '../../contract/feed.ts';
import { ManualClock } from '../../test-drivers/cache-under-test.ts';
import { DrivenStore, DrivenTopic, FeedObserver } from '../../test-drivers/driven-sources.ts';
import { createFailoverFeed } from './failover-feed.ts';

const control = '/core/namespaces/';
const types = ['/core/pods/', '/core/configmaps/', '/core/secrets/', '/core/events/', control];

interface Scene extends Disposable {
  readonly store: DrivenStore;
  readonly topic: DrivenTopic;
  readonly feed: ChangeFeed;
  readonly observer: FeedObserver;
  readonly switches: boolean[];
  /** Advances the clock; storage sends progress notes, and `each` is called every 250 ms. */
  pass(milliseconds: number, each?: () => void): Promise<void>;
}

const turn = async (): Promise<void> => {
  for (let i = 0; i < 8; i++) await new Promise(resolve => setImmediate(resolve));
};

/** Creates a feed over a store at revision 10; with `isAway` the topic does not answer at the start. */
async function startFeed({
  isAway = false,
  partitions = 4,
  only = undefined as string[] | undefined,
} = {}): Promise<Scene> {
  const store = new DrivenStore();
  for (let i = 0; i < 10; i++) store.write(types[i % types.length] ?? control);
  const topic = new DrivenTopic(store, partitions);
  if (!isAway) topic.answer();
  const clock = new ManualClock();
  const stop = new AbortController();
  const switches: boolean[] = [];
  const observer = new FeedObserver(store.revision);
  const onDirect = (isDirect: boolean) => switches.push(isDirect);
  const feed = createFailoverFeed({ topic, storage: store.storage, clock, onDirect, random: () => 0 });
  const scene: Scene = {
    store,
    topic,
    feed,
    observer,
    switches,
    async pass(milliseconds, each) {
      for (let passed = 0; passed < milliseconds; passed += 250) {
        each?.();
        clock.advance(250);
        if (passed % 1000 === 0) store.wake();
        await turn();
      }
    },
    [Symbol.dispose]: () => stop.abort(),
  };
  const opening = feed.open(message => observer.take(message), stop.signal, only);
  await turn();
  if (isAway) await scene.pass(3_000);
  await opening;
  return scene;
}

const keysAfter = (
  store: DrivenStore,
  revision: number,
  wanted: (key: string) => boolean = () => true,
): string[] =>
  store.history
    .filter(change => change.revision > revision && wanted(change.key))
    .map(({ key }) => key)
    .toSorted(byRevision);

test('changes come from the topic, and storage is not followed while the topic is live', async () => {
  using t = await startFeed();
  await t.pass(10_000, () => {
    t.store.write('/core/pods/', control);
    t.topic.publishAll();
  });
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
  assert.deepEqual(t.store.opened, []);
  assert.deepEqual(t.switches, []);
});

test('a topic without changes is not left while the store has none', async () => {
  using t = await startFeed();
  await t.pass(60_000);
  assert.deepEqual(t.switches, []);
});

test('a revision that is late in the topic is awaited', async () => {
  using t = await startFeed();
  for (let i = 0; i < 20; i++) {
    await t.pass(1_750);
    t.store.write(control);
    await t.pass(1_000);
    t.topic.publishAll();
  }
  assert.deepEqual(t.switches, []);
});

test('while the topic is silent changes come from storage, with a stream of their own for control types', async () => {
  using t = await startFeed();
  t.topic.publishAll();
  t.store.write('/core/pods/', control);
  await t.pass(5_000);
  assert.deepEqual(t.switches, [true]);
  assert.ok(t.feed.isDirect);
  assert.deepEqual(t.store.opened, ['control after 10', 'all after 10']);
  await t.pass(1_000, () => t.store.write('/core/pods/', control, '/core/secrets/'));
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
});

test('storage is not asked while the topic reports progress without changes', async () => {
  using t = await startFeed();
  const asked = t.store.asked;
  for (let i = 0; i < 20; i++) {
    t.topic.publishAll();
    await t.pass(3_000);
  }
  assert.equal(t.store.asked, asked);
});

test('a topic that lags more and more is left', async () => {
  using t = await startFeed();
  let published = 10;
  await t.pass(12_000, () => {
    t.store.write('/core/pods/', control);
    t.store.write('/core/pods/', control);
    published++;
    for (let partition = 0; partition < 4; partition++) t.topic.publish(partition, published);
  });
  assert.deepEqual(t.switches, [true]);
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
});

test('a topic that is reset and then silent causes a list of all types, after which storage is followed', async () => {
  using t = await startFeed();
  t.topic.publishAll();
  t.topic.reset();
  await t.pass(5_000, () => t.store.write('/core/pods/', control));
  assert.deepEqual(t.observer.gaps.slice(0, 4), [0, 1, 2, 3]);
  assert.ok(
    t.store.opened.every(start => !start.endsWith(' 0')),
    t.store.opened.join(),
  );
  const begin = t.store.revision;
  await t.pass(2_000, () => t.store.write('/core/pods/', control));
  const late = keysAfter(t.store, begin);
  assert.deepEqual(t.observer.all().slice(-late.length), late);
});

test('a single silent partition is enough to leave the topic', async () => {
  using t = await startFeed();
  await t.pass(6_000, () => {
    t.store.write('/core/pods/', control);
    for (const partition of [0, 1, 2]) t.topic.publish(partition);
  });
  assert.deepEqual(t.switches, [true]);
});

test('the topic is followed again once it has all changes from storage, without gap or repetition', async () => {
  using t = await startFeed();
  await t.pass(8_000, () => t.store.write('/core/pods/', control));
  assert.deepEqual(t.switches, [true]);
  // The topic catches up slowly.
  for (let revision = 11; revision < t.store.revision; revision += 5) {
    for (let partition = 0; partition < 4; partition++) t.topic.publish(partition, revision);
    await t.pass(250);
    assert.deepEqual(t.switches, [true]);
  }
  await t.pass(3_000, () => {
    t.store.write('/core/pods/', '/core/events/');
    t.topic.publishAll();
  });
  assert.deepEqual(t.switches, [true, false]);
  const { length } = t.store.opened;
  await t.pass(3_000, () => {
    t.store.write('/core/pods/', control);
    t.topic.publishAll();
  });
  assert.equal(t.store.opened.length, length);
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
  assert.deepEqual(t.observer.gaps, []);
});

test('a topic that is reset after an outage is no gap for readers that storage kept current', async () => {
  using t = await startFeed();
  await t.pass(8_000, () => t.store.write('/core/pods/', control));
  t.topic.reset();
  await t.pass(3_000, () => {
    t.store.write('/core/pods/', control);
    t.topic.publishAll();
  });
  assert.deepEqual(t.switches, [true, false]);
  assert.deepEqual(t.observer.gaps, []);
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
});

test('a topic that is ahead of a late stream from storage is no gap', async () => {
  using t = await startFeed();
  await t.pass(8_000, () => t.store.write('/core/pods/', control));
  t.store.isSilent = true;
  t.store.write('/core/pods/', control);
  t.topic.reset();
  t.store.write('/core/pods/', control);
  t.topic.publishAll();
  assert.deepEqual(t.observer.gaps, []);
  t.store.isSilent = false;
  await t.pass(3_000, () => t.topic.publishAll());
  assert.deepEqual(t.observer.gaps, []);
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
});

test('a reset of the topic is a gap while only the topic is followed', async () => {
  using t = await startFeed();
  t.topic.publishAll();
  t.topic.reset();
  assert.deepEqual(t.observer.gaps, [0, 1, 2, 3]);
});

test('a feed that starts without its topic follows storage, and switches to the topic when it answers', async () => {
  for (const partitions of [1, 2, 9]) {
    using t = await startFeed({ isAway: true, partitions });
    assert.deepEqual(t.switches, [true]);
    assert.equal(t.feed.partitions, 2);
    await t.pass(4_000, () => t.store.write('/core/pods/', control, '/core/secrets/'));
    assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
    t.topic.answer();
    await t.pass(4_000, () => {
      t.store.write('/core/pods/', control);
      t.topic.publishAll();
    });
    assert.equal(t.feed.partitions, partitions);
    assert.equal(t.observer.repartitions, 1);
    assert.equal(t.switches.at(-1), false);
    // One partition replaces two that are at different revisions: its types are listed again.
    assert.equal(t.observer.gaps.length > 0, partitions === 1);
    if (partitions > 1) assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
  }
});

test('without the topic, history comes from storage back to the start of the window', async () => {
  using t = await startFeed({ isAway: true });
  const received = new Map<number, string[]>();
  const joined: string[] = [];
  const createReceiver = (partition: number): HistoryReceiver => ({
    isWanted: true,
    joinsAt: 10,
    receive(changes) {
      received.set(partition, [...(received.get(partition) ?? []), ...changes.map(({ key }) => key)]);
    },
    async join(after, upTo) {
      joined.push(`${partition}: ${after} ${upTo}`);
    },
    discard: () => assert.fail(),
  });
  await t.feed.readHistory(createReceiver, new AbortController().signal);
  assert.deepEqual(joined, ['0: 0 10', '1: 0 10']);
  assert.deepEqual(
    received.get(0)?.toSorted(byRevision),
    keysAfter(t.store, 0, key => key.startsWith(control)),
  );
  assert.deepEqual(
    received.get(1)?.toSorted(byRevision),
    keysAfter(t.store, 0, key => !key.startsWith(control)),
  );
});

test('history requested from a silent topic comes from storage', async () => {
  using t = await startFeed();
  t.topic.readHistory = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const joined: string[] = [];
  const createReceiver = (partition: number): HistoryReceiver => ({
    isWanted: true,
    joinsAt: 10,
    receive() {},
    async join(after, upTo) {
      joined.push(`${partition}: ${after} ${upTo >= 10}`);
    },
    discard() {},
  });
  const reading = t.feed.readHistory(createReceiver, new AbortController().signal);
  await t.pass(5_000, () => t.store.write(control));
  await reading;
  assert.deepEqual(joined, ['0: 0 true', '1: 0 true', '2: 0 true', '3: 0 true']);
});

test('a reader of control types only opens only the stream of control types', async () => {
  using t = await startFeed({ only: [control] });
  await t.pass(5_000, () => t.store.write('/core/pods/', control));
  assert.deepEqual(t.store.opened, ['control after 10']);
  assert.deepEqual(
    t.observer.all(),
    keysAfter(t.store, 10, key => key.startsWith(control)),
  );
});

test('a broken or silent stream from storage is reopened at its position', async () => {
  using t = await startFeed();
  await t.pass(5_000, () => t.store.write('/core/pods/', control));
  t.store.breakStreams();
  await t.pass(5_000, () => t.store.write('/core/pods/', control));
  t.store.isSilent = true;
  await t.pass(3_000, () => t.store.write('/core/pods/'));
  t.store.isSilent = false;
  await t.pass(7_000);
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
  assert.deepEqual(t.observer.gaps, []);
});

test('a store that was set back is a gap, and older records of the topic are ignored', async () => {
  using t = await startFeed();
  t.topic.publishAll();
  await t.pass(8_000, () => t.store.write('/core/pods/', control));
  const lost = t.store.revision;
  const before = t.store.history.slice();
  t.store.setBack(12);
  await t.pass(3_000);
  assert.deepEqual(new Set(t.observer.gaps), new Set([0, 1, 2, 3]));
  const count = t.observer.all().length;
  // The topic delivers lost changes after revision 12, which continue those that readers have.
  t.store.history.push(...before.filter(({ revision }) => revision > 12));
  for (let partition = 0; partition < 4; partition++) t.topic.publish(partition, lost);
  t.store.history.splice(t.store.history.findIndex(({ revision }) => revision > 12));
  assert.equal(t.observer.all().length, count);
  t.topic.reset();
  await t.pass(3_000, () => {
    t.store.write('/core/pods/', control);
    t.topic.publishAll();
  });
  assert.deepEqual(t.switches, [true, false]);
});

test('storage is not followed if it does not answer either', async () => {
  using t = await startFeed();
  t.store.write(control);
  t.store.isAway = true;
  await t.pass(10_000);
  assert.deepEqual(t.switches, []);
});

/** Creates a seeded random number generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

for (let seed = 1; seed <= 40; seed++) {
  test(`for every behaviour of topic and streams, each change comes once and in order (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    using t = await startFeed({ isAway: seed % 4 === 0, partitions: 2 + (seed % 7) });
    t.topic.answer();
    let isSilent = false;
    await t.pass(60_000, () => {
      const [what, which] = [random(), random()];
      if (what < 0.5) t.store.write(types[Math.floor(which * types.length)] ?? control, control);
      if (what > 0.97) isSilent = !isSilent;
      else if (what > 0.95) t.store.breakStreams();
      else if (what > 0.93 && isSilent && t.feed.isDirect) t.topic.reset();
      if (isSilent) return;
      for (let partition = 0; partition < t.topic.partitions; partition++)
        if (random() < 0.6) t.topic.publish(partition, t.store.revision - Math.floor(random() * 3));
    });
    await t.pass(8_000, () => {
      t.store.write(control);
      t.topic.publishAll();
    });
    assert.equal(t.feed.isDirect, false);
    assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
    assert.deepEqual(t.observer.gaps, []);
  });
}

function byRevision(a: string, b: string): number {
  const number = (key: string): number => Number(key.split('/').at(-1)?.split('-')[0]);
  return number(a) - number(b) || (a < b ? -1 : 1);
}

/** Number of times each partition had to be listed. */
const listings = ({ observer: { gaps } }: Scene, partition: number): number =>
  gaps.filter(each => each === partition).length;

test('if every pod refuses streams, types are listed while the store changes, access control and admission types first', async () => {
  using t = await startFeed();
  t.store.isFull = true;
  t.store.write('/core/pods/', control);
  await t.pass(20_000);
  assert.deepEqual(t.observer.gaps, [0]);
  await t.pass(25_000);
  assert.deepEqual(new Set(t.observer.gaps), new Set([0, 1, 2, 3]));
  const before = [0, 1, 2, 3].map(partition => listings(t, partition));
  await t.pass(60_000);
  assert.deepEqual(
    [0, 1, 2, 3].map(partition => listings(t, partition)),
    before,
    'nothing has happened',
  );
  await t.pass(60_000, () => t.store.write(control));
  assert.ok(listings(t, 0) >= (before[0] ?? 0) + 3, `${listings(t, 0)} listings in a minute of changes`);
});

test('after lists, a stream that is served again brings the following changes without a gap', async () => {
  using t = await startFeed();
  t.store.isFull = true;
  await t.pass(60_000, () => t.store.write('/core/pods/', control));
  t.store.isFull = false;
  const served = t.store.revision;
  await t.pass(10_000, () => t.store.write('/core/pods/', control));
  const seen = new Set(t.observer.all());
  assert.deepEqual(
    keysAfter(t.store, served).filter(key => !seen.has(key)),
    [],
  );
  const gaps = t.observer.gaps.length;
  await t.pass(60_000, () => t.store.write('/core/pods/', control));
  assert.equal(t.observer.gaps.length, gaps);
});

test('a restarted storage pod causes no lists', async () => {
  using t = await startFeed();
  t.store.write('/core/pods/', control);
  await t.pass(6_000);
  assert.deepEqual(t.switches, [true]);
  for (let i = 0; i < 5; i++) {
    t.store.isAway = true;
    t.store.breakStreams();
    await t.pass(4_000);
    t.store.isAway = false;
    t.store.write('/core/pods/', control);
    await t.pass(6_000);
  }
  assert.deepEqual(t.observer.gaps, []);
  assert.deepEqual(t.observer.all(), keysAfter(t.store, 10));
});

test('a reader of control types only lists those, and stops when the topic is back', async () => {
  using t = await startFeed({ only: [control] });
  t.store.isFull = true;
  t.store.write(control);
  await t.pass(20_000);
  assert.deepEqual(t.observer.gaps, [0]);
  t.store.write(control);
  t.topic.publishAll();
  await t.pass(20_000, () => {
    t.store.write(control);
    t.topic.publishAll();
  });
  assert.equal(listings(t, 0), 1);
});
