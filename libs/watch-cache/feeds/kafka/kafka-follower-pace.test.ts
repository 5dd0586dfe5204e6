import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedMessage } from '../../contract/feed.ts';
import { followTopic, ScriptedTopic } from '../../test-drivers/scripted-topic.ts';

const large = 200 * 1024;

function changesIn(messages: readonly FeedMessage[]): number {
  return messages.reduce(
    (sum, message) => sum + (message.kind === 'changes' ? message.changes.length : 0),
    0,
  );
}

test('a thousand changes a second need at most two hundred fetches, and none is lost', async () => {
  const topic = new ScriptedTopic(8);
  using t = await followTopic(topic);
  await t.pass(2000, () => topic.append(topic.fetches.length % 8));
  assert.ok(topic.fetches.length <= 16 + 2000 / 5 + 1, `${topic.fetches.length} fetches`);
  assert.ok(topic.fetches.length >= 300, `${topic.fetches.length} fetches`);
  await t.pass(10);
  assert.equal(changesIn(t.messages), 2000);
});

test('the first changes after an idle period arrive at once, in a burst too', async () => {
  const topic = new ScriptedTopic(2);
  using t = await followTopic(topic);
  for (let round = 1; round <= 3; round++) {
    let seen = 0;
    await t.pass(16, () => {
      assert.equal(changesIn(t.messages), (round - 1) * 16 + seen++);
      topic.append(1);
    });
    assert.equal(changesIn(t.messages), round * 16);
    await t.pass(100);
  }
});

test('changes more than five milliseconds apart are not throttled', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  for (let written = 1; written <= 500; written++) {
    await t.pass(1, () => topic.append(0));
    assert.equal(changesIn(t.messages), written);
    await t.pass(5);
  }
  assert.equal(topic.fetches.length, 501);
});

test('a reader that lags is not throttled', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  await t.pass(80, () => topic.append(0, large));
  assert.equal(changesIn(t.messages), 80);
  assert.equal(topic.fetches.length, 81);
});

test('a call that waits for a revision ends the throttle, and prevents a new one', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  // The allowance is used up: the last change is delayed.
  await t.pass(23, () => topic.append(0));
  assert.ok(changesIn(t.messages) < 23);
  {
    using _expedited = t.follower.expedite();
    await t.pass(1);
    assert.equal(changesIn(t.messages), 23);
    for (let written = 24; written < 60; written++) {
      await t.pass(1, () => topic.append(0));
      assert.equal(changesIn(t.messages), written);
    }
  }
  const before = topic.fetches.length;
  await t.pass(100, () => topic.append(0));
  assert.ok(topic.fetches.length - before <= 100 / 5 + 1);
});

test('changes are not throttled longer after a long time without throttles', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  {
    using _expedited = t.follower.expedite();
    await t.pass(3000, () => topic.append(0));
    assert.equal(changesIn(t.messages), 3000);
  }
  await t.pass(30, () => topic.append(0));
  assert.ok(changesIn(t.messages) >= 3020, `${changesIn(t.messages)} of 3030`);
});

test('an idle topic is fetched once per maximum wait of the broker', async () => {
  const topic = new ScriptedTopic(8);
  using t = await followTopic(topic);
  await t.pass(20_000);
  assert.equal(topic.fetches.length, 7);
  assert.deepEqual(topic.fetches[0], [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(t.messages.length, 0);
});

test('changes that no watch waits for are fetched together just before they can be delivered', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  t.follower.throttleFor(50);
  await t.pass(41, () => topic.append(0));
  assert.deepEqual([changesIn(t.messages), topic.fetches.length], [1, 1]);
  await t.pass(2);
  assert.equal(changesIn(t.messages), 41);
  for (let written = 42; written < 50; written++) {
    await t.pass(1, () => topic.append(0));
    assert.equal(changesIn(t.messages), written);
  }
});

test('a call that waits for a revision does not wait for the pace of watches', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  t.follower.throttleFor(50);
  await t.pass(3, () => topic.append(0));
  assert.equal(changesIn(t.messages), 1);
  using _expedited = t.follower.expedite();
  await t.pass(1, () => topic.append(0));
  assert.equal(changesIn(t.messages), 4);
});

test('changes that no watch waits for are fetched together, except in a burst, and none is lost', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  t.follower.setWatched(false);
  for (let seen = 1; seen <= 16; seen++) {
    await t.pass(1, () => topic.append(0));
    assert.equal(changesIn(t.messages), seen, 'the first ones after a quiet time come at once');
  }
  const before = topic.fetches.length;
  await t.pass(2000, () => topic.append(0));
  assert.ok(topic.fetches.length - before <= 2000 / 250 + 2, `${topic.fetches.length - before} fetches`);
  await t.pass(251);
  assert.equal(changesIn(t.messages), 2016);
});

test('a first watch, and a call that waits for a revision, end the throttle of a feed without watches', async () => {
  const topic = new ScriptedTopic(1);
  using t = await followTopic(topic);
  t.follower.setWatched(false);
  await t.pass(40, () => topic.append(0));
  assert.ok(changesIn(t.messages) < 40);
  {
    using _expedited = t.follower.expedite();
    await t.pass(1);
    assert.equal(changesIn(t.messages), 40);
  }
  await t.pass(30, () => topic.append(0));
  assert.ok(changesIn(t.messages) < 70);
  t.follower.setWatched(true);
  await t.pass(6);
  assert.equal(changesIn(t.messages), 70);
  await t.pass(30);
  for (let seen = 71; seen <= 80; seen++) {
    await t.pass(1, () => topic.append(0));
    await t.pass(5);
    assert.equal(changesIn(t.messages), seen);
  }
});
