/** A set of texts that forgets the oldest when it has as many as it may have. */
export class BoundedSet {
  readonly #limit: number;
  readonly #entries = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(entry: string): boolean {
    return this.#entries.has(entry);
  }

  add(entry: string): void {
    this.#entries.delete(entry);
    this.#entries.add(entry);
    for (const oldest of this.#entries) {
      if (this.#entries.size <= this.#limit) return;
      this.#entries.delete(oldest);
    }
  }
}
