import type { Flow } from '../fair-queuing/flow.ts';

/** Requests are counted in periods of this length, in ms. */
const periodMs = 500;

/** Counts the requests of all flows but the busiest one. */
export class FlowActivity {
  readonly #counts = new Map<Flow, number>();
  #startedAt = Number.NEGATIVE_INFINITY;
  #total = 0;
  #most = 0;
  /** In the period before this one. */
  #othersBefore = 0;

  /** Notes a request of a flow; `now` in ms, monotonic. */
  seen(flow: Flow, now: number): void {
    this.#advance(now);
    const count = (this.#counts.get(flow) ?? 0) + 1;
    this.#counts.set(flow, count);
    this.#total++;
    this.#most = Math.max(this.#most, count);
  }

  /** Requests within half a second that did not come from the busiest flow, in this period or the one before. */
  others(now: number): number {
    this.#advance(now);
    return Math.max(this.#othersBefore, this.#total - this.#most);
  }

  #advance(now: number): void {
    const passed = now - this.#startedAt;
    if (passed < periodMs) return;
    this.#othersBefore = passed < 2 * periodMs ? this.#total - this.#most : 0;
    this.#startedAt = now;
    this.#counts.clear();
    this.#total = 0;
    this.#most = 0;
  }
}
