import { sharedNotes } from './work-notes.ts';

/** How a slice queue is made. */
interface SliceQueueOptions {
  /** Milliseconds that one slice of work may last; default 3. */
  readonly sliceMs?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Calls back after the event loop has handled what waits for it. */
  readonly afterTurn?: (callback: () => void) => void;
}

/**
 * Long work in slices, so that it does not hold the event loop.
 *
 * Work that may take longer than a slice asks `isOver` between steps of bounded size, and awaits `yield` when the slice is
 * over. All such work in a process shares one queue: in each turn of the event loop only one waiting task goes on, for one
 * slice, and tasks take their turns in order. However many tasks there are, other requests wait for one slice at most.
 *
 * The time of a slice counts from the moment at which the event loop began the current turn as far as the queue knows it:
 * from the end of the last `yield`, or from the first `isOver` of the turn.
 */
export interface SliceQueue {
  /** Whether the current slice has lasted long enough. Costs a clock read. */
  isOver(): boolean;
  /** Resolves when it is the caller's turn to work on for one slice. Rejects when the signal aborts. */
  yield(signal?: AbortSignal): Promise<void>;
}

/** Creates a queue of its own, for tests; everything else uses `sharedSlices`. */
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
      // Before the next task begins its slice in the turn after this one.
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

/** The one queue of the process. */
export const sharedSlices: SliceQueue = createSliceQueue();
