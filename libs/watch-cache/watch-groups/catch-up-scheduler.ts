import type { WatchCacheClock } from '../contract/environment.ts';

/**
 * The outcome of a step: there is more to do, the sink has no room, something else adds the task again when it is time, or
 * the watch has caught up or ended.
 */
export type CatchUpOutcome = 'again' | 'blocked' | 'waiting' | 'done';

/** A watch on its way to the present, one bounded step at a time. */
export interface CatchUpTask {
  step(): CatchUpOutcome;
}

const sliceMs = 4;
const pollMs = 5;

/**
 * Lets watches catch up without keeping the event loop: steps are taken in turn, for a few milliseconds, then the
 * loop goes round. Watches in step share what they encode. A watch whose sink is full is asked again a little later.
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
    // Those whose turn did not come go first, then those that wait for another, then those that came meanwhile.
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
