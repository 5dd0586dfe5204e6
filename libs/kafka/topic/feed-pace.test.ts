import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type PaceClock, PublishPace } from './feed-pace.ts';

/** A clock that the test advances. */
class ManualClock implements PaceClock {
  readonly #timers = new Map<() => void, number>();
  #now = 0;

  monotonic(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.#timers.set(callback, this.#now + milliseconds);
    return () => void this.#timers.delete(callback);
  }

  get timers(): number {
    return this.#timers.size;
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [callback, due] of this.#timers) if (due <= this.#now) callback();
  }
}

const small = 1000;
const large = 200 * 1024;

let clock: ManualClock;
let pace: PublishPace;
let stop: AbortController;

beforeEach(() => {
  clock = new ManualClock();
  pace = new PublishPace(clock);
  stop = new AbortController();
});

/** Publishes a revision; the result reports whether the throttle after it has ended. */
async function publish(revision: number, bytes = small): Promise<{ isOver(): Promise<boolean> }> {
  let over = false;
  void pace.throttle(revision, bytes, stop.signal).then(() => {
    over = true;
  });
  const isOver = async () => {
    await new Promise(resolve => setImmediate(resolve));
    return over;
  };
  return { isOver };
}

/** Uses up the allowance and starts a throttle. */
async function publishBurst(): Promise<{ isOver(): Promise<boolean> }> {
  for (let revision = 1; revision <= 16; revision++)
    assert.equal(await (await publish(revision)).isOver(), true);
  const throttle = await publish(17);
  assert.equal(await throttle.isOver(), false);
  return throttle;
}

test('up to forty requests a second are not throttled', async () => {
  for (let revision = 1; revision <= 400; revision++) {
    assert.equal(await (await publish(revision)).isOver(), true);
    clock.pass(25);
  }
});

test('more requests are throttled, each for at most 25 milliseconds, and no timers are left', async () => {
  const throttle = await publishBurst();
  clock.pass(24);
  assert.equal(await throttle.isOver(), false);
  clock.pass(1);
  assert.equal(await throttle.isOver(), true);
  assert.equal(clock.timers, 0);
});

test('a publisher that lags is not throttled', async () => {
  for (let revision = 1; revision <= 100; revision++)
    assert.equal(await (await publish(revision, large)).isOver(), true);
});

test('a batch without records uses no allowance', async () => {
  for (let note = 0; note < 100; note++) assert.equal(await (await publish(1, 0)).isOver(), true);
});

test('a call that waits for an unpublished revision ends the throttle, for a published revision it does not', async () => {
  const throttle = await publishBurst();
  pace.want(17);
  assert.equal(await throttle.isOver(), false);
  pace.want(18);
  assert.equal(await throttle.isOver(), true);
  assert.equal(clock.timers, 0);
});

test('there is no throttle until a revision awaited during a request is published', async () => {
  const throttle = await publishBurst();
  pace.want(20);
  assert.equal(await throttle.isOver(), true);
  assert.equal(await (await publish(18)).isOver(), true);
  assert.equal(await (await publish(19)).isOver(), true);
  assert.equal(await (await publish(20)).isOver(), false);
});

test('a new session forgets the revisions awaited before', async () => {
  pace.want(1000);
  pace.begin();
  await publishBurst();
});

test('the end of a session ends the throttle', async () => {
  const throttle = await publishBurst();
  stop.abort();
  assert.equal(await throttle.isOver(), true);
  assert.equal(clock.timers, 0);
  assert.equal(await (await publish(18)).isOver(), true);
});
