import { parentPort, workerData } from 'node:worker_threads';
import { keptInputs } from './kept-inputs.ts';
import { longestInput, makeInput } from './make-input.ts';
import { createRandom } from './random.ts';
import { allTargets } from './targets/all-targets.ts';
import type { FuzzTarget } from './targets/fuzz-target.ts';
import { tryInput } from './try-input.ts';

/** The order of a worker: try the kept inputs, or so many made ones. */
export interface FuzzOrder {
  readonly target: string;
  /** Undefined: the kept inputs. */
  readonly made: { readonly seed: number; readonly count: number; readonly endsAt: number } | undefined;
}

/** The message of a worker when an order is done, or when an input broke the target. */
export type FuzzMessage =
  | { readonly kind: 'done'; readonly inputs: number; readonly accepted: number; readonly refused: number }
  | { readonly kind: 'crash' | 'memory'; readonly message: string };

/** Bytes of shared memory before those of the input. */
export const shownHead = 8;

/** Where the worker shows what it is at: a number that grows with each input, the input's length, its bytes. */
const shown = workerData as SharedArrayBuffer; // The parent starts it with nothing else.
parentPort?.on('message', (order: FuzzOrder) => void work(order));

async function work({ target: name, made }: FuzzOrder): Promise<void> {
  const target = allTargets.find(one => one.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const head = new Int32Array(shown, 0, 2);
  const bytes = new Uint8Array(shown, shownHead);
  const counts = { inputs: 0, accepted: 0, refused: 0 };
  for (const input of made === undefined ? kept(target) : makeInputs(target, made)) {
    bytes.set(input.subarray(0, bytes.length));
    head[1] = Math.min(input.length, bytes.length);
    Atomics.add(head, 0, 1);
    const outcome = await tryInput(target, input);
    counts.inputs++;
    if (outcome.kind === 'crash' || outcome.kind === 'memory') {
      parentPort?.postMessage(outcome);
      return;
    }
    counts[outcome.kind]++;
  }
  parentPort?.postMessage({ kind: 'done', ...counts });
}

function* kept(target: FuzzTarget): Generator<Buffer> {
  for (const seed of target.seeds) yield Buffer.from(seed as Uint8Array); // a text or bytes, which are taken alike
  for (const { bytes } of keptInputs(target)) yield bytes;
}

function* makeInputs(
  target: FuzzTarget,
  { seed, count, endsAt }: NonNullable<FuzzOrder['made']>,
): Generator<Buffer> {
  const random = createRandom(seed);
  const sources = {
    kept: [...kept(target)].map(bytes => bytes.subarray(0, longestInput)),
    words: target.words,
  };
  for (let i = 0; i < count && Date.now() < endsAt; i++) yield makeInput(random, sources);
}
