/** Demand for seats over one period. */
export interface DemandOfPeriod {
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Part of the past demand that counts in the next period of a second: half of it after five minutes. */
const smoothing = 0.9977;

/** Follows how many seats the requests of a priority level hold or wait for. */
export class SeatDemand {
  readonly #now: () => number;
  #value = 0;
  #since: number;
  #startedAt: number;
  #sum = 0;
  #sumOfSquares = 0;
  #highest = 0;
  #smoothed = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
    this.#startedAt = this.#since;
  }

  /** Smoothed demand, at least that of the last period. */
  get smoothed(): number {
    return this.#smoothed;
  }

  /** Notes the demand from now on. */
  set(value: number): void {
    this.#count();
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** Ends a period. */
  endPeriod(): DemandOfPeriod {
    this.#count();
    const ms = this.#since - this.#startedAt;
    const average = ms > 0 ? this.#sum / ms : this.#value;
    const variance = ms > 0 ? Math.max(0, this.#sumOfSquares / ms - average * average) : 0;
    const period = { average, deviation: Math.sqrt(variance), highest: this.#highest };
    const envelope = average + period.deviation;
    this.#smoothed = Math.max(envelope, smoothing * this.#smoothed + (1 - smoothing) * envelope);
    this.#startedAt = this.#since;
    this.#sum = 0;
    this.#sumOfSquares = 0;
    this.#highest = this.#value;
    return period;
  }

  #count(): void {
    const now = this.#now();
    const ms = now - this.#since;
    this.#sum += this.#value * ms;
    this.#sumOfSquares += this.#value * this.#value * ms;
    this.#since = now;
  }
}
