import type { WatchCacheClock } from '../contract/environment.ts';

/**
 * Outcome of a step: `again`, there is more to do; `blocked`, the sink has no room; `waiting`, the task is added again once
 * objects are prepared; `done`, the watch has caught up or ended.
 */
export type CatchUpOutcome = 'again' | 'blocked' | 'waiting' | 'done';

/** A catching-up watch, advanced one bounded step at a time. */
export interface CatchUpTask {
  step(): CatchUpOutcome;
}

const sliceMs = 4;
const pollMs = 5;

/**
 * Runs catch-up steps without blocking the event loop: round-robin in slices of 4 ms, then it yields. Watches at the same
 * position share encoded frames. A watch whose sink is full is retried after 5 ms.
 */
export class CatchUpScheduler implements Disposable {
  readonly #clock: WatchCacheClock;
  #ready: CatchUpTask[] = [];
  #blocked: CatchUpTask[] = [];
  #isScheduled = false;
  #cancelPoll: (() => void) | undefined;

  constructor(clock: WatchCacheClock) {
    this.#clock = clock;
  }

  add(task: CatchUpTask): void {
    this.#ready.push(task);
    this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#ready = [];
    this.#blocked = [];
    this.#cancelPoll?.();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#ready.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#runSlice();
    });
  }

  #runSlice(): void {
    const end = performance.now() + sliceMs;
    const round = this.#ready;
    const next: CatchUpTask[] = [];
    this.#ready = [];
    let taken = 0;
    do {
      const task = round[taken++];
      if (task === undefined) break;
      const outcome = task.step();
      if (outcome === 'again') next.push(task);
      else if (outcome === 'blocked') this.#blocked.push(task);
    } while (performance.now() < end);
    // Order: tasks that did not run in this slice, tasks with more to do, tasks added meanwhile.
    this.#ready = [...round.slice(taken), ...next, ...this.#ready];
    this.#schedule();
    this.#poll();
  }

  #poll(): void {
    if (this.#blocked.length === 0 || this.#cancelPoll !== undefined) return;
    this.#cancelPoll = this.#clock.after(pollMs, () => {
      this.#cancelPoll = undefined;
      this.#ready.push(...this.#blocked.splice(0));
      this.#schedule();
    });
  }
}
