/** Options of measuring the load of a pod. */
interface PodLoadOptions {
  /** Processor time that the process has used so far, in microseconds. */
  readonly cpuMicros: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly onChange: (isBusy: boolean) => void;
}

const periodMs = 1_000;
/** The part of one processor from which on a pod is busy, and the one below which it no longer is. */
const busyFrom = 0.6;
const freeBelow = 0.2;

/** Whether this pod is busy, by the processor time of its process. Looked at when calls come: a pod without calls costs nothing. */
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

  /** Whether the pod was busy at the last look. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** A call came: looks again where the last time is a while ago. */
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

/** Processor time of this process in microseconds. */
export function processCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
