/** Number of checks at which every call is late: 1 s. */
const mostLooks = 20;
/** Minimum number of calls for a known distribution. */
const fewestCalls = 256;
/** Number of calls after which all counts are halved, so that old calls weigh less. */
const callsBetweenHalvings = 4_096;
/** Minimum number of checks of a late call: 50 to 100 ms. */
const fewestLooks = 2;

/**
 * The distribution of the durations of one method's calls, in checks of 50 ms. A call is late when it is among the
 * slowest 1 % of recent calls, and after 1 s in any case. When calls become slower in general, none is late before 1 s.
 */
export class UsualWaits {
  #calls = 0;
  /** Number of calls that lasted for at least so many checks, by the number of checks. */
  readonly #lasted = new Float64Array(mostLooks);

  /** Counts a call that is sent. */
  called(): void {
    if (++this.#calls < callsBetweenHalvings) return;
    this.#calls /= 2;
    for (let looks = 0; looks < mostLooks; looks++) this.#lasted[looks] = (this.#lasted[looks] ?? 0) / 2;
  }

  /** Counts the given check of a call; returns whether the call is late. */
  isLate(looks: number): boolean {
    if (looks >= mostLooks) return true;
    const lasted = (this.#lasted[looks] ?? 0) + 1;
    this.#lasted[looks] = lasted;
    return looks >= fewestLooks && this.#calls >= fewestCalls && lasted * 100 <= this.#calls;
  }
}
