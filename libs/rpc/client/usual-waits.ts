/** Looks at which a call is late in any case: a second. */
const mostLooks = 20;
/** Calls from which on their usual waits are known. */
const fewestCalls = 256;
/** Calls after which those before count half. */
const callsBetweenHalvings = 4_096;
/** The least wait of a late call: between 50 and 100 ms. */
const fewestLooks = 2;

/**
 * How long the calls of one method wait, counted in looks at them: a call is late when it is among the slowest hundredth of those
 * of late, and after a second in any case. When calls become slower in general none of them is late before that second.
 */
export class UsualWaits {
  #calls = 0;
  /** The calls that lasted for so many looks, by the number of looks. */
  readonly #lasted = new Float64Array(mostLooks);

  /** A call was made. */
  called(): void {
    if (++this.#calls < callsBetweenHalvings) return;
    this.#calls /= 2;
    for (let looks = 0; looks < mostLooks; looks++) this.#lasted[looks] = (this.#lasted[looks] ?? 0) / 2;
  }

  /** Counts a look at a call, its `looks`th one; says whether the call is late. */
  isLate(looks: number): boolean {
    if (looks >= mostLooks) return true;
    const lasted = (this.#lasted[looks] ?? 0) + 1;
    this.#lasted[looks] = lasted;
    return looks >= fewestLooks && this.#calls >= fewestCalls && lasted * 100 <= this.#calls;
  }
}
