import { createHash } from 'node:crypto';

/**
 * Deals a flow its hand: `handSize` different queues out of `queues`, always the same ones for the same flow. Two flows
 * rarely have the same hand, so a flow that fills all its queues leaves every other flow at least one that is free.
 */
export function dealHand(flow: string, { queues, handSize }: { queues: number; handSize: number }): number[] {
  let entropy = createHash('sha256').update(flow).digest().readBigUInt64BE(0);
  const hand: number[] = [];
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(queues - dealt);
    hand.push(cardAt(hand, Number(entropy % left)));
    entropy /= left;
  }
  return hand;
}

/** The card at a position among those that are not dealt yet. */
function cardAt(dealt: readonly number[], position: number): number {
  let card = position;
  for (const taken of dealt.toSorted((a, b) => a - b)) if (card >= taken) card++;
  return card;
}
