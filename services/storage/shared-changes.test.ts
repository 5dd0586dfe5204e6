import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { deadlineIn } from '@binnacle/proto';
import { type Change, type Revision, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
import { SharedChanges } from './shared-changes.ts';

const call = (signal = new AbortController().signal) => ({ signal, deadline: deadlineIn(30_000) });

interface Scene {
  readonly storage: Storage;
  readonly shared: SharedChanges;
  /** Streams of the store that are open, and all that were. */
  readonly streams: { open: number; opened: number };
  /** Writes an object of a kilobyte. */
  write(): Promise<Revision>;
}

async function withScene(mostBytes: number, run: (scene: Scene) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-shared-'));
  const storage = await openEmbeddedStorage({ directory });
  const streams = { open: 0, opened: 0 };
  const counted: Pick<Storage, 'changes'> = {
    async *changes(start, context) {
      streams.open++;
      streams.opened++;
      try {
        yield* storage.changes(start, context);
      } finally {
        streams.open--;
      }
    },
  };
  let number = 0;
  const write = async () => {
    const put = { key: storageKeyFrom(`/core/pods/a/${number++ % 50}`), value: Buffer.alloc(1000) };
    return (await storage.transact({ preconditions: [], puts: [put], deletes: [] }, call())).revision;
  };
  try {
    await run({ storage, shared: new SharedChanges(counted, mostBytes), streams, write });
  } finally {
    await storage[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
}

/** Follows from after a revision up to another one; `each` is waited for after each batch. */
async function follow(
  { shared }: Scene,
  after: Revision,
  upTo: () => Revision,
  each: () => Promise<unknown> = async () => {},
): Promise<Change[]> {
  const seen: Change[] = [];
  for await (const { changes, revision } of shared.changes({ after }, call())) {
    seen.push(...changes);
    if (revision >= upTo()) break;
    await each();
  }
  return seen;
}

const listRevisions = (changes: readonly Change[]) => changes.map(({ revision }) => revision);
const between = (after: Revision, upTo: Revision) =>
  Array.from({ length: upTo - after }, (_, index) => after + 1 + index);

test('followers from different revisions and with different speeds get every change once in order', () =>
  withScene(30_000, async scene => {
    let last = 0;
    for (let count = 0; count < 100; count++) last = await scene.write();
    let end = Number.POSITIVE_INFINITY;
    const followers = Array.from({ length: 24 }, async (_, index) => {
      await pause(index * 5);
      const after = last - Math.floor(Math.random() * 100);
      const slow = () => pause(index % 3 === 0 ? Math.random() * 60 : 0);
      return { after, seen: await follow(scene, after, () => end, slow) };
    });
    for (let count = 0; count < 400; count++) {
      last = await scene.write();
      if (count % 10 === 0) await pause(1);
    }
    end = last;
    for (const { after, seen } of await Promise.all(followers))
      assert.deepEqual(listRevisions(seen), between(after, end));
  }));

test('followers that start together share one stream, which ends with the last of them', () =>
  withScene(1_000_000, async scene => {
    const first = await scene.write();
    let end = Number.POSITIVE_INFINITY;
    const followers = Array.from({ length: 10 }, () => follow(scene, first, () => end));
    let last = first;
    for (let count = 0; count < 100; count++) last = await scene.write();
    end = last;
    for (const seen of await Promise.all(followers))
      assert.deepEqual(listRevisions(seen), between(first, end));
    assert.equal(scene.streams.opened, 1);
    // A stream ends in its own time.
    while (scene.streams.open > 0) await pause(5);
    assert.deepEqual(listRevisions(await follow(scene, first, () => end)), between(first, end));
    assert.equal(scene.streams.opened, 2);
  }));

test('a slow follower does not delay others, and gets its changes later', () =>
  withScene(20_000, async scene => {
    const first = await scene.write();
    let end = Number.POSITIVE_INFINITY;
    const goOn = Promise.withResolvers<void>();
    const standing = follow(
      scene,
      first,
      () => end,
      () => goOn.promise,
    );
    const going = follow(scene, first, () => end);
    let last = first;
    for (let count = 0; count < 300; count++) {
      last = await scene.write();
      await pause(0);
    }
    end = last;
    assert.deepEqual(listRevisions(await going), between(first, end));
    assert.equal(scene.streams.opened, 1, 'nothing was read for the one that stands still');
    goOn.resolve();
    assert.deepEqual(listRevisions(await standing), between(first, end));
    assert.equal(scene.streams.opened, 2, 'too much came meanwhile to be kept for it');
  }));

test('every follower gets progress without changes', () =>
  withScene(1_000_000, async scene => {
    const first = await scene.write();
    const notes = async (): Promise<void> => {
      let count = 0;
      for await (const { changes, revision } of scene.shared.changes({ after: first }, call())) {
        assert.deepEqual([changes.length, revision], [0, first]);
        if (++count === 2) return;
      }
    };
    await Promise.all([notes(), notes()]);
  }));

test('a start that the store refuses fails only its own follower', () =>
  withScene(1_000_000, async scene => {
    let last = 0;
    for (let count = 0; count < 5; count++) last = await scene.write();
    await scene.storage.compact(last - 2, call());
    await assert.rejects(
      follow(scene, last + 100, () => last),
      { kind: 'future-revision' },
    );
    await assert.rejects(
      follow(scene, 1, () => last),
      { kind: 'compacted' },
    );
    let end = Number.POSITIVE_INFINITY;
    const good = follow(scene, last, () => end);
    await assert.rejects(
      follow(scene, last + 100, () => last),
      { kind: 'future-revision' },
    );
    await assert.rejects(
      follow(scene, 1, () => last),
      { kind: 'compacted' },
    );
    end = await scene.write();
    assert.deepEqual(listRevisions(await good), [end]);
  }));

test('a follower ends with its signal, even while it waits, and the others continue', () =>
  withScene(1_000_000, async scene => {
    const first = await scene.write();
    let end = Number.POSITIVE_INFINITY;
    const good = follow(scene, first, () => end);
    const stop = new AbortController();
    const stopped = (async () => {
      for await (const _ of scene.shared.changes({ after: first }, call(stop.signal))) stop.abort();
    })();
    setTimeout(() => stop.abort(), 50);
    await stopped;
    end = await scene.write();
    assert.deepEqual(listRevisions(await good), [end]);
  }));

test('a failure of the shared stream fails its followers, and the next follower starts a new one', async () => {
  let isBroken = true;
  const source: Pick<Storage, 'changes'> = {
    async *changes() {
      yield { changes: [], revision: 7 };
      if (isBroken) throw new Error('broken');
    },
  };
  const shared = new SharedChanges(source);
  const read = async (): Promise<Revision> => {
    let last = 0;
    for await (const { revision } of shared.changes({ after: 7 }, call())) last = revision;
    return last;
  };
  await assert.rejects(Promise.all([read(), read()]), /broken/);
  isBroken = false;
  await assert.rejects(read(), { kind: 'unavailable' });
});
