/** Options of a pulse. */
interface PulseOptions {
  /** Sends a ping to the peer. */
  readonly ping: () => void;
  /** Whether calls are under way. */
  readonly hasCalls: () => boolean;
  /** Called at each check, after the state has been updated. */
  readonly onLook: () => void;
  /** The peer has not responded for `longSilenceMs`, or responds again after that. */
  readonly onLongSilence: (isSilent: boolean) => void;
  /** Duration of checks without a response after which a silence is long, in ms; default: 2,000. */
  readonly longSilenceMs?: number;
  /** Bytes received from the peer so far; an increase counts as a response. Without it, `heard` reports each response. */
  readonly received?: () => number;
}

/** Interval of the checks of a peer with calls under way, in ms. */
export const lookMs = 50;

/** Checks without a response after which the pulse pings the peer (100 ms), and between further pings (1 s). */
const pingAfterLooks = 2;
const pingEveryLooks = 20;

/** Checks without a response after which the peer is silent: 250 ms. */
const silentAfterLooks = 5;

const defaultLongSilenceMs = 2_000;

/**
 * Detects whether a peer responds while calls are under way.
 *
 * A process that is frozen, or behind a network that drops all packets, keeps its connections and answers nothing; a
 * process whose calls take long still answers pings. One timer checks the peer while it has calls; calls have no timers
 * of their own. Time is counted in checks: a stall of this process counts as one check, and not as silence of the peer.
 */
export class Pulse implements Disposable {
  readonly #options: PulseOptions;
  readonly #longSilenceLooks: number;
  #timer: NodeJS.Timeout | undefined;
  #isHeard = false;
  #quietLooks = 0;
  #received = 0;
  #answersPings = false;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#longSilenceLooks = (options.longSilenceMs ?? defaultLongSilenceMs) / lookMs;
  }

  /** Whether the peer has not responded for 250 ms while calls were under way. */
  get isSilent(): boolean {
    return this.#quietLooks >= silentAfterLooks;
  }

  /** Whether the peer is silent although it has answered pings before. */
  get isFrozen(): boolean {
    return this.isSilent && this.#answersPings;
  }

  /** Notes that a call was sent; starts the checks. */
  called(): void {
    if (this.#timer !== undefined) return;
    this.#received = this.#options.received?.() ?? 0;
    this.#timer = setInterval(this.#look, lookMs).unref();
  }

  /** Notes a response of the peer. */
  heard(): void {
    this.#isHeard = true;
    if (this.#quietLooks >= silentAfterLooks) this.#endSilence();
  }

  /** Notes that the peer answered a ping. A peer that never did is silent only while it has calls. */
  ponged(): void {
    this.#answersPings = true;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #endSilence(): void {
    const wasLong = this.#quietLooks >= this.#longSilenceLooks;
    this.#quietLooks = 0;
    if (wasLong) this.#options.onLongSilence(false);
  }

  readonly #look = (): void => {
    const { ping, hasCalls, onLook, onLongSilence } = this.#options;
    this.#listen();
    if (!hasCalls() && !(this.isSilent && this.#answersPings)) {
      this.#quietLooks = 0;
      this.#isHeard = false;
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    if (this.#isHeard) {
      this.#isHeard = false;
      this.#quietLooks = 0;
    } else {
      this.#quietLooks++;
      if (this.#quietLooks === pingAfterLooks || this.#quietLooks % pingEveryLooks === 0) ping();
      if (this.#quietLooks === this.#longSilenceLooks) onLongSilence(true);
    }
    onLook();
  };

  #listen(): void {
    const received = this.#options.received?.() ?? 0;
    if (received > this.#received) this.heard();
    this.#received = received;
  }
}
