import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealHand } from './queue-set.ts';

test('a hand holds different queues, always the same ones for a flow', () => {
  for (const [queues, handSize] of [
    [1, 1],
    [16, 4],
    [64, 6],
    [128, 6],
    [12, 12],
  ] as const) {
    for (let i = 0; i < 50; i++) {
      const hand = dealHand(`flow-${i}`, { queues, handSize });
      assert.equal(new Set(hand).size, handSize);
      assert.ok(hand.every(queue => Number.isInteger(queue) && queue >= 0 && queue < queues));
      assert.deepEqual(dealHand(`flow-${i}`, { queues, handSize }), hand);
    }
  }
});

test('hardly any flow has all of its queues in the hand of another one', () => {
  const elephant = new Set(dealHand('elephant', { queues: 128, handSize: 6 }));
  const squashed = Array.from({ length: 5_000 }, (_, i) =>
    dealHand(`mouse-${i}`, { queues: 128, handSize: 6 }),
  );
  assert.equal(squashed.filter(hand => hand.every(queue => elephant.has(queue))).length, 0);
});

test('every queue is dealt about as often as the others', () => {
  const counts = new Array<number>(16).fill(0);
  for (let i = 0; i < 4_000; i++)
    for (const queue of dealHand(`flow-${i}`, { queues: 16, handSize: 4 }))
      counts[queue] = (counts[queue] ?? 0) + 1;
  for (const count of counts) assert.ok(count > 800 && count < 1_200, String(count));
});
