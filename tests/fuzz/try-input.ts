import { getHeapStatistics } from 'node:v8';
import { errorStack } from '@binnacle/status-errors';
import { type FuzzTarget, isClientMistake } from './targets/fuzz-target.ts';

/** The outcome of an input for a target. */
type Outcome =
  | { readonly kind: 'accepted' | 'refused' }
  /** It threw what is no refusal, or took more memory than it may. */
  | { readonly kind: 'crash' | 'memory'; readonly message: string };

const fixedGrowth = 128 * 1024 * 1024;
/** A byte may cost this much of the heap while it is worked on. */
const growthPerByte = 8 * 1024;

/** Gives a target an input, and judges what comes of it. */
export async function tryInput(target: FuzzTarget, input: Buffer): Promise<Outcome> {
  const before = usedHeap();
  const outcome = await findOutcome(target, input);
  const growth = usedHeap() - before;
  if (growth > fixedGrowth + growthPerByte * input.length)
    return { kind: 'memory', message: `the heap grew by ${growth} bytes` };
  return outcome;
}

async function findOutcome(target: FuzzTarget, input: Buffer): Promise<Outcome> {
  const { isRefusal = isClientMistake } = target;
  try {
    await target.run(input);
    return { kind: 'accepted' };
  } catch (error) {
    if (isRefusal(error)) return { kind: 'refused' };
    return {
      kind: 'crash',
      message: errorStack(error),
    };
  }
}

function usedHeap(): number {
  return getHeapStatistics().used_heap_size;
}
