import { closeSync, openSync, readSync } from 'node:fs';

/** The load of a thread since the last measurement, as fractions of the time since then. */
export interface ThreadLoad {
  /** Fraction in which the event loop was busy. */
  readonly busy: number;
  /** Fraction in which the thread had work and waited for a processor. */
  readonly waited: number;
}

/** The times of the thread that opens it: ns on a processor, ns in wait for one, number of times that it ran. */
const schedulerFile = '/proc/thread-self/schedstat';

/** Measures the thread that creates it. Where the system tells no waiting times, they are 0. */
export class ThreadMeter implements Disposable {
  /** Kept open, for the file is read many times a second. */
  #file: number | undefined;
  readonly #text = Buffer.alloc(80);
  #loop = performance.eventLoopUtilization();
  #lookedAt = performance.now();
  #waitedMs: number | undefined;

  constructor(file = schedulerFile) {
    this.#file = openIfPresent(file);
    this.#waitedMs = this.#readWaitedMs();
    if (this.#waitedMs === undefined) this[Symbol.dispose]();
  }

  /** The load of the thread since the last call, or since the meter was created. */
  load(): ThreadLoad {
    const before = { loop: this.#loop, lookedAt: this.#lookedAt, waitedMs: this.#waitedMs };
    this.#loop = performance.eventLoopUtilization();
    this.#lookedAt = performance.now();
    this.#waitedMs = this.#readWaitedMs();
    const waited = (this.#waitedMs ?? 0) - (before.waitedMs ?? 0);
    return {
      busy: performance.eventLoopUtilization(this.#loop, before.loop).utilization,
      waited: Math.max(0, Math.min(1, waited / (this.#lookedAt - before.lookedAt))),
    };
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #readWaitedMs(): number | undefined {
    if (this.#file === undefined) return undefined;
    const length = readSync(this.#file, this.#text, 0, this.#text.length, 0);
    const ns = Number(this.#text.toString('latin1', 0, length).split(' ')[1]);
    return Number.isFinite(ns) ? ns / 1e6 : undefined;
  }
}

function openIfPresent(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch {
    return undefined;
  }
}
