import { Worker } from 'node:worker_threads';
import { type FuzzMessage, type FuzzOrder, shownHead } from './fuzz-worker.ts';
import { keepInput } from './kept-inputs.ts';
import { longestInput } from './make-input.ts';
import type { FuzzTarget } from './targets/fuzz-target.ts';

/** The inputs of a target. */
interface FuzzRun {
  readonly seed: number;
  /** At most so many inputs; default: as many as there is time for. */
  readonly count?: number;
  /** When to stop, in milliseconds since the epoch; default: never. */
  readonly endsAt?: number;
}

/** The result of a run; `broken` says which input broke the target, where it is kept, and how. */
type FuzzResult =
  | Extract<FuzzMessage, { readonly kind: 'done' }>
  | { readonly kind: 'broken'; readonly path: string; readonly message: string };

/** A single input that takes longer than this hangs; the slowest good one takes a tenth of a second. */
const hangMs = 20_000;
const watchEveryMs = 1000;
const heapMb = 768;

/** Gives a target the inputs that are kept for it. */
export function tryKept(target: FuzzTarget): Promise<FuzzResult> {
  return runWorker(target, undefined);
}

/** Gives a target inputs that are made from a seed, until one breaks it. */
export function fuzz(target: FuzzTarget, run: FuzzRun): Promise<FuzzResult> {
  const { seed, count = Number.MAX_SAFE_INTEGER, endsAt = Number.MAX_SAFE_INTEGER } = run;
  return runWorker(target, { seed, count, endsAt });
}

interface FuzzThread {
  readonly worker: Worker;
  readonly shown: SharedArrayBuffer;
}

/** Has loaded every target, and waits for the next order. */
let idle: FuzzThread | undefined;

/** In a thread of its own an input that hangs can be ended, and one that takes all memory ends nothing else. */
async function runWorker(target: FuzzTarget, made: FuzzOrder['made']): Promise<FuzzResult> {
  const thread = idle ?? startThread();
  idle = undefined;
  thread.worker.ref();
  const result = await give(thread, target, made);
  if (result.kind === 'done') {
    thread.worker.unref();
    idle = thread;
  } else await thread.worker.terminate();
  return result;
}

function startThread(): FuzzThread {
  const shown = new SharedArrayBuffer(shownHead + 4 * longestInput);
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: shown,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  return { worker, shown };
}

function give(
  { worker, shown }: FuzzThread,
  target: FuzzTarget,
  made: FuzzOrder['made'],
): Promise<FuzzResult> {
  const { promise, resolve, reject } = Promise.withResolvers<FuzzResult>();
  const broken = (kind: string, message: string) =>
    resolve({ kind: 'broken', path: keepInput(target, kind, inputIn(shown)), message });
  const watch = watchProgress(shown, () => broken('hang', `it took longer than ${hangMs} ms`));
  const onMessage = (message: FuzzMessage) =>
    message.kind === 'done' ? resolve(message) : broken(message.kind, message.message);
  const onError = (error: Error) =>
    (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? broken('memory', `it took more than ${heapMb} MiB`)
      : reject(error);
  const onExit = () => reject(new Error('the worker ended before it was done'));
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  worker.postMessage({ target: target.name, made } satisfies FuzzOrder);
  return promise.finally(() => {
    clearInterval(watch);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  });
}

function watchProgress(shown: SharedArrayBuffer, onHang: () => void): NodeJS.Timeout {
  const head = new Int32Array(shown, 0, 2);
  let last = 0;
  let since = Date.now();
  return setInterval(() => {
    const now = Atomics.load(head, 0);
    if (now !== last || now === 0) {
      last = now;
      since = Date.now();
    } else if (Date.now() - since > hangMs) onHang();
  }, watchEveryMs);
}

function inputIn(shown: SharedArrayBuffer): Buffer {
  const [, length = 0] = new Int32Array(shown, 0, 2);
  return Buffer.from(new Uint8Array(shown, shownHead, length));
}
