import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followTopic, ScriptedTopic } from '../../test-drivers/scripted-topic.ts';

test('partitions that are not followed are neither fetched nor decoded', async () => {
  const topic = new ScriptedTopic(8);
  using t = await followTopic(topic, partition => partition === 0);
  let bulk = 0;
  await t.pass(1000, () => topic.append(1 + (bulk++ % 7)));
  assert.deepEqual(topic.fetches, [[0]]);
  assert.equal(t.messages.length, 0);
  await t.pass(1, () => topic.append(0));
  assert.deepEqual(
    t.messages.map(message => [
      message.kind,
      message.partition,
      message.kind === 'changes' && message.revision,
    ]),
    [['changes', 0, 1001]],
  );
  assert.deepEqual(topic.fetches, [[0], [0]]);
});

test('a reset of all partitions is a gap of the followed ones, and changes continue after it', async () => {
  const topic = new ScriptedTopic(8);
  using t = await followTopic(topic, partition => partition < 2);
  await t.pass(1, () => topic.append(0));
  await t.pass(1, () => topic.reset());
  await t.pass(1, () => topic.append(1));
  await t.pass(1, () => topic.append(0));
  const told = t.messages.map(({ kind, partition }) => `${kind} ${partition}`);
  assert.deepEqual(told.slice(0, 1), ['changes 0']);
  assert.deepEqual(told.slice(1, 3).toSorted(), ['gap 0', 'gap 1']);
  assert.deepEqual(told.slice(3), ['changes 1', 'changes 0']);
});
