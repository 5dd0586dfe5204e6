import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordOpener, type TopicReader, unencryptedFeed } from '@binnacle/kafka';
import { silentLog } from '../../contract/environment.ts';
import type { HistoryReceiver } from '../../contract/feed.ts';
import { ScriptedTopic } from '../../test-drivers/scripted-topic.ts';
import { readTopicHistory } from './kafka-history.ts';

/** A receiver that has all changes after a revision and records the pieces: `3<..5<=: 4 5`. */
function recordingReceiver(has: number): HistoryReceiver & { readonly pieces: string[]; wantsUntil: number } {
  let received: number[] = [];
  return {
    pieces: [],
    wantsUntil: 0,
    joinsAt: has,
    get isWanted() {
      return this.joinsAt > this.wantsUntil;
    },
    receive(changes) {
      for (const { revision } of changes) if (revision <= this.joinsAt) received.push(revision);
    },
    async join(after, upTo) {
      assert.ok(upTo >= this.joinsAt);
      this.pieces.push(`${after}: ${received.join(' ')}`);
      received = [];
      if (after < this.joinsAt) Object.assign(this, { joinsAt: after });
    },
    discard() {
      received = [];
    },
  };
}

/** Reads the history of a topic with two partitions; the receiver of partition 1 needs nothing. */
async function readHistory(
  topic: ScriptedTopic,
  receiver: HistoryReceiver,
  { connect = async () => topic.connect(), historyWindow = 300_000 } = {},
): Promise<void> {
  await readTopicHistory(
    {
      connect,
      createOpener: () => new RecordOpener(unencryptedFeed, 'changes'),
      onRefusedRecord() {},
      historyWindow,
      clock: topic.clock,
      log: silentLog,
      random: () => 0,
      isFollowed: () => true,
    },
    partition =>
      partition === 0 ? receiver : { ...receiver, isWanted: false, receive: () => assert.fail() },
    new AbortController().signal,
  );
}

/** Creates a topic with a record in partition 0 at each of these ages in seconds, and others in partition 1. */
function createTopic(ages: readonly number[]): ScriptedTopic {
  const topic = new ScriptedTopic(2);
  let age = ages[0] ?? 0;
  for (const next of ages) {
    topic.clock.advance((age - next) * 1000);
    age = next;
    topic.append(0);
    topic.append(1);
  }
  topic.clock.advance(age * 1000);
  return topic;
}

test('history is read from the newest piece to the oldest, and the pieces are contiguous', async () => {
  // Revisions 1, 3, 5, 7, 9 and 11.
  const topic = createTopic([250, 70, 60, 15, 3, 1]);
  const receiver = recordingReceiver(11);
  await readHistory(topic, receiver);
  assert.deepEqual(receiver.pieces, ['7: 9 11', '5: 7', '1: 3 5', '0: 1']);
});

test('history before the window is not read', async () => {
  const receiver = recordingReceiver(11);
  await readHistory(createTopic([250, 70, 60, 15, 3, 1]), receiver, { historyWindow: 65_000 });
  assert.deepEqual(receiver.pieces, ['7: 9 11', '5: 7', '3: 5']);
});

test('no more history is read than the receiver wants', async () => {
  const receiver = recordingReceiver(11);
  receiver.wantsUntil = 7;
  await readHistory(createTopic([250, 70, 60, 15, 3, 1]), receiver);
  assert.deepEqual(receiver.pieces, ['7: 9 11']);
});

test('history ends at a gap, wherever a piece begins', async () => {
  for (const [pauseMs, pieces] of [
    [0, ['3: 4 5 6']],
    [10_000, ['3: 4 5 6', '3: ']],
  ] as const) {
    const topic = new ScriptedTopic(2);
    for (let i = 0; i < 3; i++) topic.append(0);
    topic.lose(0);
    topic.clock.advance(pauseMs);
    for (let i = 0; i < 3; i++) topic.append(0);
    const receiver = recordingReceiver(6);
    await readHistory(topic, receiver);
    assert.deepEqual(receiver.pieces, pieces);
  }
});

test('history ends behind a reset', async () => {
  const topic = createTopic([30, 20]);
  topic.reset();
  topic.append(0);
  const receiver = recordingReceiver(7);
  await readHistory(topic, receiver);
  // The reset of partition 0 has revision 5.
  assert.deepEqual(receiver.pieces, ['5: 7']);
});

test('a piece waits until the topic has reached the position of the receiver, and a broken connection is replaced', async () => {
  const topic = createTopic([30, 3]);
  let connections = 0;
  const connect = async (): Promise<TopicReader> => {
    const reader = topic.connect();
    if (++connections > 1) return reader;
    let fetches = 0;
    return {
      ...reader,
      async fetch(leader, offsets) {
        if (++fetches > 1) throw new Error('the connection broke');
        return reader.fetch(leader, offsets);
      },
    };
  };
  const receiver = recordingReceiver(5);
  const reading = readHistory(topic, receiver, { connect });
  for (let i = 0; i < 20; i++) {
    await new Promise(resolve => setImmediate(resolve));
    topic.clock.advance(10);
  }
  assert.equal(connections, 2);
  assert.deepEqual(receiver.pieces, []);
  topic.append(0);
  await reading;
  assert.deepEqual(receiver.pieces, ['1: 3 5', '0: 1']);
});
