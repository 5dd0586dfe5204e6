import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallContext } from '@binnacle/rpc';
import type { StorageKey } from '@binnacle/storage-contract';
import { createLatestRevisions } from './latest-revisions.ts';

const prefix = '/core/configmaps/' as StorageKey;

/** Answers questions only when told to, with the revision at the time of the question. */
function heldStorage() {
  const held: { answer: () => void; fail: () => void }[] = [];
  const state = { revision: 1, asked: 0 };
  const typeRevision = () => {
    state.asked++;
    const { revision } = state;
    return new Promise<number>((resolve, reject) => {
      held.push({ answer: () => resolve(revision), fail: () => reject(new Error('down')) });
    });
  };
  return { state, held, typeRevision };
}

/** Long enough for a question that is due to be sent. */
async function turns(): Promise<void> {
  for (let count = 0; count < 3; count++) await new Promise(resolve => setImmediate(resolve));
}

test('the calls of one turn share one request for the revision', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  using call = createCallContext({ timeoutMs: 10_000 });
  const calls = [latest.of(prefix, call), latest.of(prefix, call)];
  // A tick is the end of a callback, as when a turn reads from several connections.
  await new Promise<void>(resolve => process.nextTick(resolve));
  storage.state.revision = 2;
  calls.push(latest.of(prefix, call));
  assert.equal(storage.state.asked, 0);
  await turns();
  assert.equal(storage.state.asked, 1);
  storage.held[0]?.answer();
  assert.deepEqual(await Promise.all(calls), [2, 2, 2]);
});

test('calls during a request for the revision share the next one', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  using call = createCallContext({ timeoutMs: 10_000 });
  const first = latest.of(prefix, call);
  await turns();
  storage.state.revision = 2;
  const later = [latest.of(prefix, call), latest.of(prefix, call), latest.of(prefix, call)];
  assert.equal(storage.state.asked, 1);
  storage.held[0]?.answer();
  assert.equal(await first, 1);
  await turns();
  assert.equal(storage.state.asked, 2);
  storage.held[1]?.answer();
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
});

test('a failed request does not delay the next one', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  using call = createCallContext({ timeoutMs: 10_000 });
  const first = latest.of(prefix, call);
  await turns();
  const second = latest.of(prefix, call);
  storage.held[0]?.fail();
  await assert.rejects(first, /down/);
  await turns();
  storage.held[1]?.answer();
  assert.equal(await second, 1);
  const third = latest.of(prefix, call);
  await turns();
  storage.held[2]?.answer();
  assert.equal(await third, 1);
});

test('an aborted call does not wait for the answer', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  const caller = new AbortController();
  using call = createCallContext({ timeoutMs: 10_000, signal: caller.signal });
  const refused = assert.rejects(latest.of(prefix, call));
  await turns();
  assert.equal(storage.state.asked, 1);
  caller.abort(new Error('gone'));
  await refused;
  storage.held[0]?.answer();
});

/** Time that passes only when told to, and the throttles that were taken in it. */
function manualTime() {
  const throttles: number[] = [];
  const state = { now: 0, throttles };
  let go = Promise.withResolvers<void>();
  return {
    state,
    options: {
      now: () => state.now,
      pause(milliseconds: number) {
        throttles.push(milliseconds);
        return go.promise;
      },
    },
    async endThrottle(): Promise<void> {
      go.resolve();
      go = Promise.withResolvers();
      await turns();
    },
  };
}

function setUp() {
  const storage = heldStorage();
  const time = manualTime();
  return { storage, time, latest: createLatestRevisions(storage, time.options) };
}

test('after a request for many calls the next one waits for twice the duration of the answer to collect calls', async () => {
  const { storage, time, latest } = setUp();
  using call = createCallContext({ timeoutMs: 10_000 });
  const many = Array.from({ length: 3 }, () => latest.of(prefix, call));
  await turns();
  time.state.now = 2;
  storage.held[0]?.answer();
  await Promise.all(many);
  const next = latest.of(prefix, call);
  await turns();
  assert.deepEqual([storage.state.asked, time.state.throttles], [1, [4]]);
  storage.state.revision = 2;
  const late = latest.of(prefix, call);
  await time.endThrottle();
  assert.equal(storage.state.asked, 2);
  time.state.now = 100;
  storage.held[1]?.answer();
  assert.deepEqual(await Promise.all([next, late]), [2, 2]);
  // Two calls were not many.
  const alone = latest.of(prefix, call);
  await turns();
  assert.deepEqual([storage.state.asked, time.state.throttles], [3, [4]]);
  storage.held[2]?.answer();
  await alone;
});

test('a slow answer delays the next request by at most five milliseconds', async () => {
  const { storage, time, latest } = setUp();
  using call = createCallContext({ timeoutMs: 10_000 });
  const many = Array.from({ length: 3 }, () => latest.of(prefix, call));
  await turns();
  const next = latest.of(prefix, call);
  time.state.now = 1000;
  storage.held[0]?.answer();
  await Promise.all(many);
  await turns();
  assert.deepEqual([storage.state.asked, time.state.throttles], [1, [5]]);
  await time.endThrottle();
  storage.held[1]?.answer();
  assert.equal(await next, 1);
});
