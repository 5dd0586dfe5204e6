/** Limits on the memory that is held for clients. */
export interface HeldBytesLimits {
  /** For one user, in bytes. */
  readonly user: number;
  /** For all users together, in bytes. */
  readonly total: number;
}

/** Counts memory that is held for clients, by user: what they have sent so far, or have not taken yet. */
export class HeldBytes {
  readonly #limits: HeldBytesLimits;
  readonly #byUser = new Map<string, number>();
  #total = 0;

  constructor(limits: HeldBytesLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** The limit that is exceeded, of the user or of all users; undefined for none. */
  exceeded(username: string): 'user' | 'total' | undefined {
    if (this.of(username) > this.#limits.user) return 'user';
    return this.#total > this.#limits.total ? 'total' : undefined;
  }

  of(username: string): number {
    return this.#byUser.get(username) ?? 0;
  }

  /** The user for whom most is held. */
  largest(): string | undefined {
    let largest: string | undefined;
    for (const [username, bytes] of this.#byUser)
      if (largest === undefined || bytes > this.of(largest)) largest = username;
    return largest;
  }

  /** Adds held bytes; a negative number releases them. */
  add(username: string, bytes: number): void {
    if (bytes === 0) return;
    const held = this.of(username) + bytes;
    this.#total += bytes;
    if (held <= 0) this.#byUser.delete(username);
    else this.#byUser.set(username, held);
  }
}
