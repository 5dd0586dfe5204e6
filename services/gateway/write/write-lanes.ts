/** Writes that wait for their turn, and the way to let the next one in. */
type Lane = (() => void)[];

/**
 * Lanes in which one write goes after another, for those that would only undo each other's reviews: creations that are
 * charged to one quota. A lane exists while a write is in it; how many can wait is bounded by the requests in flight.
 */
export class WriteLanes {
  readonly #lanes = new Map<string, Lane>();

  /** Whether a write is in the lane. */
  isBusy(name: string): boolean {
    return this.#lanes.has(name);
  }

  /**
   * Resolves when it is this write's turn, with what ends it. Rejects with the signal's reason when that aborts before;
   * the write has no turn then.
   */
  async enter(name: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const leave = { [Symbol.dispose]: () => this.#leave(name) };
    const lane = this.#lanes.get(name);
    if (lane === undefined) {
      this.#lanes.set(name, []);
      return leave;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const place = lane.indexOf(resolve);
      if (place >= 0) lane.splice(place, 1);
      reject(signal.reason);
    };
    lane.push(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    // A turn that was given stays given: an abort after it finds nothing to take out of the lane.
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
    return leave;
  }

  #leave(name: string): void {
    const next = this.#lanes.get(name)?.shift();
    if (next === undefined) this.#lanes.delete(name);
    else next();
  }
}
