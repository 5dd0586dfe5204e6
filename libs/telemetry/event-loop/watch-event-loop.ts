import { type HeldStretch, sharedNotes, type WorkNotes } from '@binnacle/event-loop';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Options of the event loop watch. */
interface WatchEventLoopOptions {
  readonly metrics: Pick<Metrics, 'histogram'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly notes?: WorkNotes;
  /** Time after the start for which delays are measured but not logged, in ms, because a start compiles and lists. Default: 0. */
  readonly quietMs?: number;
  /** A monotonic clock, in ms; default: `performance.now`. */
  readonly now?: () => number;
  /** Calls back once, without keeping the process alive; returns a function that cancels the timer. */
  readonly after?: (milliseconds: number, callback: () => void) => () => void;
}

/**
 * Interval of the measurements while there is work, in ms; shorter stretches of work between two measurements are not
 * detected.
 */
const tickMs = 25;
/** Interval of the measurements of an idle process, in ms, because each one wakes it; the next request or call ends the pause. */
const throttleMs = 1_000;
/** Minimum delay that is logged, in ms. */
const loggedMs = 100;
/** Minimum interval between two log lines, in ms; delays in between are counted. */
const linesApartMs = 1_000;
const longestShown = 256;
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Measures the delay of timers of the event loop, as a histogram, and logs delays of 100 ms and more with the request
 * that blocked the loop, if it was noted. Queries of URLs are not logged.
 */
export function watchEventLoop(options: WatchEventLoopOptions): Disposable {
  const { metrics, log, notes = sharedNotes, now = () => performance.now(), after = afterUnref } = options;
  const delays = metrics
    .histogram({
      name: 'binnacle_event_loop_delay_seconds',
      help: 'Delay of timers of the event loop: the time for which other work held it.',
      buckets,
    })
    .labels();
  let expected = 0;
  let hasWorked = true;
  let cancel = () => {};
  let nextLine = options.quietMs === undefined ? Number.NEGATIVE_INFINITY : now() + options.quietMs;
  let unlogged = 0;
  const schedule = (ms: number): void => {
    expected = now() + ms;
    cancel = after(ms, tick);
  };
  const tick = (): void => {
    const time = now();
    const delay = Math.max(0, time - expected);
    const held = notes.takeLongest();
    delays.observe(delay / 1000);
    const isIdle = !hasWorked;
    hasWorked = false;
    notes.onNext(() => {
      hasWorked = true;
      if (!isIdle) return;
      cancel();
      schedule(tickMs);
    });
    schedule(isIdle ? throttleMs : tickMs);
    report(delay, held, time);
  };
  const report = (delay: number, held: HeldStretch | undefined, time: number): void => {
    if (delay < loggedMs) return;
    if (time < nextLine) {
      unlogged++;
      return;
    }
    nextLine = time + linesApartMs;
    const fields = { milliseconds: Math.round(delay), ...(unlogged > 0 && { notLogged: unlogged }) };
    unlogged = 0;
    // Work that lasted less than half of the delay does not explain it.
    if (held === undefined || held.milliseconds < delay / 2) {
      log.warn('the event loop was blocked', fields);
      return;
    }
    const { method, path, auditId, user } = held.holder;
    const shown = { method, path: cut(path), user: cut(user.username), auditId };
    log.warn('a request blocked the event loop', { ...fields, ...shown });
  };
  schedule(tickMs);
  return {
    [Symbol.dispose]() {
      notes.onNext(() => {});
      cancel();
    },
  };
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}

function afterUnref(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds).unref();
  return () => clearTimeout(timer);
}
