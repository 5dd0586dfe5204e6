/** Writes that wait for a lock, each with what lets it in. */
type Waiting = (() => void)[];

/**
 * A lock for each key, for writes that would only undo each other's reviews: creations that are charged to one quota. A
 * lock exists while a write holds it; how many can wait is bounded by the requests in flight.
 */
export class KeyLocks {
  readonly #waiting = new Map<string, Waiting>();

  /** Whether a write holds the lock of this key. */
  isHeld(key: string): boolean {
    return this.#waiting.has(key);
  }

  /**
   * Resolves when this write holds the lock, with what gives it back; writes get it in the order in which they asked.
   * Rejects with the signal's reason when that aborts before; the write does not hold the lock then.
   */
  async acquire(key: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const held = { [Symbol.dispose]: () => this.#release(key) };
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, []);
      return held;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const place = waiting.indexOf(resolve);
      if (place >= 0) waiting.splice(place, 1);
      reject(signal.reason);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    // A lock that was passed on stays with the write: an abort after it finds nothing to take out of the list.
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
    return held;
  }

  #release(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }
}
