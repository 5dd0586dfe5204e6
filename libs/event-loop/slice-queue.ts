import { sharedNotes } from './work-notes.ts';

/** Options of a slice queue. */
interface SliceQueueOptions {
  /** Maximum duration of a slice, in ms; default: 3. */
  readonly sliceMs?: number;
  /** A monotonic clock, in ms; default: `performance.now`. */
  readonly now?: () => number;
  /** Calls back after the event loop has processed all pending events; default: `setImmediate`. */
  readonly afterTurn?: (callback: () => void) => void;
}

/**
 * Splits long work into slices, so that it does not block the event loop.
 *
 * Work that may take longer than a slice calls `isOver` between steps of bounded size, and awaits `yield` when the slice
 * is over. All such work in a process shares one queue: in each turn of the event loop one waiting task continues, for
 * one slice, in first-in, first-out order. Whatever the number of tasks, other requests wait for at most one slice.
 *
 * A slice starts where the queue first sees the current turn of the event loop: at the end of the last `yield`, or at
 * the first `isOver` of the turn.
 */
export interface SliceQueue {
  /** Whether the current slice has lasted `sliceMs`. Costs a clock read. */
  isOver(): boolean;
  /** Resolves when the caller may continue for one slice. Rejects when the signal aborts. */
  yield(signal?: AbortSignal): Promise<void>;
}

/** Creates a separate queue, for tests; all other code uses `sharedSlices`. */
export function createSliceQueue(options: SliceQueueOptions = {}): SliceQueue {
  const { sliceMs = 3, now = () => performance.now(), afterTurn = setImmediate } = options;
  const waiting: (() => void)[] = [];
  let startedAt: number | undefined;
  let isScheduled = false;

  const endTurn = () => {
    startedAt = undefined;
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    afterTurn(() => {
      isScheduled = false;
      const next = waiting.shift();
      if (next === undefined) return;
      startedAt = now();
      // The slice ends before the next task starts its own in the following turn.
      afterTurn(endTurn);
      if (waiting.length > 0) schedule();
      next();
    });
  };
  return {
    isOver() {
      const time = now();
      if (startedAt === undefined) {
        startedAt = time;
        afterTurn(endTurn);
        return false;
      }
      return time - startedAt >= sliceMs;
    },
    yield(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const holder = sharedNotes.current();
      return new Promise((resolve, reject) => {
        const task = () => {
          sharedNotes.begin(holder);
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = () => {
          const place = waiting.indexOf(task);
          if (place >= 0) waiting.splice(place, 1);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(task);
        schedule();
      });
    },
  };
}

/** The queue of the process. */
export const sharedSlices: SliceQueue = createSliceQueue();
