const width = 30;
const refreshMs = 100;

/** Shows on standard error how far a run is: one line that changes on a terminal, one line a scenario elsewhere. */
export class ProgressBar {
  readonly #isTerminal = process.stderr.isTTY === true;
  #shownAt = 0;
  #scenario = '';

  /** Called as often as there is something to say. */
  update(scenario: string, done: number, total: number): void {
    if (!this.#isTerminal) {
      if (scenario !== this.#scenario) process.stderr.write(`${scenario} …\n`);
      this.#scenario = scenario;
      return;
    }
    const now = performance.now();
    if (now - this.#shownAt < refreshMs && done < total) return;
    this.#shownAt = now;
    const share = Math.min(1, total === 0 ? 1 : done / total);
    const filled = Math.round(share * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    process.stderr.write(`\r${scenario.padEnd(16)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#isTerminal) process.stderr.write('\r\x1b[K');
  }
}
