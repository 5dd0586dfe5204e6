/** Frames of a watch that wait for their connection. */
export interface HeldFrames {
  /** Writes them. */
  flush(): void;
}

interface Joined {
  readonly parts: readonly Buffer[];
  readonly bytes: Buffer;
}

const nothing: Joined = { parts: [], bytes: Buffer.alloc(0) };

/** The throttle of a connection for each stream that it has just written to, in ms, and the longest one. */
const throttleMsPerStream = 0.5;
const longestThrottleMs = 50;
const shortestThrottleMs = 5;

/**
 * Decides when the frames of a connection's watches are written.
 *
 * A write to each of a hundred streams costs nearly the same for one event as for ten. So after a turn in which many streams
 * were written to, the connection is throttled in proportion; what arrives meanwhile is written together, and leaves as one write of
 * the socket. A connection with few watches is not throttled, and no event waits after a pause.
 */
export class FrameBatches implements Disposable {
  #written = 0;
  #isCounting = false;
  #throttle: NodeJS.Timeout | undefined;
  #waiting: HeldFrames[] = [];
  #joined: Joined = nothing;

  /** Whether frames wait. */
  get isThrottled(): boolean {
    return this.#throttle !== undefined;
  }

  /** Notes a write to a stream. */
  wrote(): void {
    this.#written++;
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(() => this.#endTurn());
  }

  /** Calls `flush` when the throttle is over. */
  wait(frames: HeldFrames): void {
    this.#waiting.push(frames);
  }

  /** Frames as one buffer. Watchers of a group hold the same frames, which are put together once. */
  join(parts: readonly Buffer[]): Buffer {
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    const { parts: known, bytes } = this.#joined;
    if (known.length === parts.length && known.every((part, i) => part === parts[i])) return bytes;
    this.#joined = { parts, bytes: Buffer.concat(parts) };
    return this.#joined.bytes;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#throttle);
    this.#waiting = [];
  }

  #endTurn(): void {
    const throttleMs = Math.min(longestThrottleMs, this.#written * throttleMsPerStream);
    this.#isCounting = false;
    this.#written = 0;
    if (throttleMs >= shortestThrottleMs && this.#throttle === undefined)
      this.#throttle = setTimeout(() => this.#endThrottle(), throttleMs);
  }

  #endThrottle(): void {
    const waiting = this.#waiting;
    this.#throttle = undefined;
    this.#waiting = [];
    for (const frames of waiting) frames.flush();
    this.#joined = nothing;
  }
}
