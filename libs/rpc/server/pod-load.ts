/** Options of the load measurement. */
interface PodLoadOptions {
  /** CPU time used by the process so far, in µs. */
  readonly cpuMicros: () => number;
  /** A monotonic clock, in ms. */
  readonly now: () => number;
  readonly onChange: (isBusy: boolean) => void;
}

const periodMs = 1_000;
/** CPU shares of one core: a pod is busy from the upper one on, until it falls below the lower one. */
const busyFrom = 0.6;
const freeBelow = 0.2;

/**
 * Measures whether this pod is busy, by the CPU time of its process. It measures only when calls arrive, so an idle pod
 * has no cost.
 */
export class PodLoad {
  readonly #options: PodLoadOptions;
  #isBusy = false;
  #lookedAt: number;
  #cpuMicros: number;

  constructor(options: PodLoadOptions) {
    this.#options = options;
    this.#lookedAt = options.now();
    this.#cpuMicros = options.cpuMicros();
  }

  /** Whether the pod was busy at the last measurement. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Notes a call; measures if the last measurement is at least 1 s old. */
  called(): void {
    const { now, cpuMicros, onChange } = this.#options;
    const elapsedMs = now() - this.#lookedAt;
    if (elapsedMs < periodMs) return;
    const used = cpuMicros();
    const share = (used - this.#cpuMicros) / 1000 / elapsedMs;
    this.#lookedAt += elapsedMs;
    this.#cpuMicros = used;
    const isBusy = share >= (this.#isBusy ? freeBelow : busyFrom);
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    onChange(isBusy);
  }
}

/** Returns the CPU time of this process in µs. */
export function processCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
