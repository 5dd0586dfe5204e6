import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchEvent, WatchEventType } from '@binnacle/proto';
import { PartitionChain } from './partition-chain.ts';

/** Parses an event: `C 5<4 x` is CREATED at revision 5 after 4 of x; `C 5<4..9 x` also reports progress up to 9. */
function eventFrom(text: string): WatchEvent {
  const [letter = '', numbers = '', name = ''] = text.split(' ');
  const types: Record<string, WatchEventType> = { P: 'PROGRESS', C: 'CREATED', D: 'DELETED', R: 'RESET' };
  const [revision, previousRevision, reached] = numbers.split(/<|\.\./).map(Number);
  return {
    type: types[letter] ?? 'UPDATED',
    revision: revision ?? 0,
    previousRevision: previousRevision ?? 0,
    key: name === '' ? '' : `/core/configmaps/a/${name}`,
    value: new Uint8Array(0),
    previousValue: new Uint8Array(0),
    committedAt: 0,
    publishedAt: 0,
    ...(reached !== undefined && { reached }),
  };
}

interface ChainCase {
  readonly name: string;
  /** Records of each call. */
  readonly calls: readonly (readonly string[])[];
  /** `gap`, or the reached revision and the changes: `7: 6 x, 7 y`. */
  readonly messages: readonly string[];
}

const cases: readonly ChainCase[] = [
  {
    name: 'the first record begins the chain',
    calls: [['C 9<7 x', 'U 10<9 x'], ['P 12<10']],
    messages: ['10: 9 x, 10 x', '12: '],
  },
  {
    name: 'what a second publisher repeats is dropped',
    calls: [['C 5<4 x', 'C 6<5 y'], ['C 5<4 x', 'C 6<5 y', 'C 7<6 z'], ['C 7<6 z']],
    messages: ['6: 5 x, 6 y', '7: 7 z'],
  },
  {
    name: 'a progress note that only another publisher wrote is no gap',
    calls: [['C 5<4 x', 'P 9<5'], ['C 10<5 y', 'C 8<5 z'], ['C 11<10 z']],
    messages: ['9: 5 x', '10: 10 y', '11: 11 z'],
  },
  {
    name: 'a record that names an unread one shows a gap',
    calls: [['C 5<4 x'], ['C 9<8 y']],
    messages: ['5: 5 x', 'gap', '9: 9 y'],
  },
  {
    name: 'a reset is a gap',
    calls: [['C 5<4 x', 'R 8<5', 'C 9<8 y'], ['C 10<9 z']],
    messages: ['5: 5 x', 'gap', '9: 9 y', '10: 10 z'],
  },
  {
    name: 'several changes of one revision belong together',
    calls: [['C 5<4 x', 'C 5<5 y', 'C 5<5 z'], ['C 5<4 x', 'C 5<5 y'], ['C 6<5 x']],
    messages: ['5: 5 x, 5 y, 5 z', '6: 6 x'],
  },
  {
    name: 'a part of a revision that comes later is a gap',
    calls: [['C 5<4 x'], ['C 5<5 y', 'C 6<5 z']],
    messages: ['5: 5 x', 'gap', '6: 5 y, 6 z'],
  },
  {
    name: 'a record may say that everything up to a later revision was sent',
    calls: [['C 5<4 x', 'C 6<5..9 y'], ['C 6<5..9 y'], ['C 10<6 z']],
    messages: ['9: 5 x, 6 y', '10: 10 z'],
  },
  {
    name: 'what is repeated may reach further than what was read',
    calls: [['C 5<4 x'], ['C 5<4..7 x'], ['C 8<5 y']],
    messages: ['5: 5 x', '7: ', '8: 8 y'],
  },
  {
    name: 'nothing new is no message',
    calls: [['C 5<4 x'], ['C 4<3 w', 'P 5<5'], ['C 5<4 v']],
    messages: ['5: 5 x'],
  },
];

for (const { name, calls, messages } of cases) {
  test(name, () => {
    const chain = new PartitionChain(3);
    const seen = calls
      .flatMap(texts => chain.take(texts.map(eventFrom)))
      .map(message => {
        assert.equal(message.partition, 3);
        if (message.kind === 'gap') return 'gap';
        const changes = message.changes.map(({ revision, key }) => `${revision} ${key.split('/')[4]}`);
        return `${message.revision}: ${changes.join(', ')}`;
      });
    assert.deepEqual(seen, messages);
  });
}

test('a change without its values stays marked', () => {
  const [message] = new PartitionChain(0).take([{ ...eventFrom('U 5<4 x'), unreadable: true }]);
  assert.ok(message?.kind === 'changes');
  assert.equal(message.changes[0]?.isUnreadable, true);
});
