/** Settings of a pulse. */
interface PulseOptions {
  /** Asks the peer for a sign. */
  readonly ping: () => void;
  /** Whether calls are under way. */
  readonly hasCalls: () => boolean;
  /** Called at each look, after the state was decided. */
  readonly onLook: () => void;
  /** The peer has not answered for `longSilenceMs`, or answers again after that. */
  readonly onLongSilence: (isSilent: boolean) => void;
  /** Milliseconds of looks without a sign after which a silence is long; two seconds when not given. */
  readonly longSilenceMs?: number;
  /** Bytes that have come from the peer until now: more of them are a sign. Without it, `heard` tells of each one. */
  readonly received?: () => number;
}

/** Milliseconds between two looks at a peer that has calls under way. */
export const lookMs = 50;

/** Looks without a sign of the peer after which it is asked for one, and then once a second while it gives none. */
const pingAfterLooks = 2;
const pingEveryLooks = 20;

/** Looks without a sign of the peer after which it is silent: 250 ms. */
const silentAfterLooks = 5;

const defaultLongSilenceMs = 2_000;

/**
 * Whether a peer gives signs of life while calls are under way.
 *
 * A process that is frozen, or behind a network that swallows everything, keeps its connections and answers nothing; one whose calls
 * take long answers pings in the meantime. One timer looks at the whole peer while it has calls, no call has one of its own. Time is
 * counted in looks: when this process itself stood still, that was one look, and says nothing of the peer.
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

  /** Whether the peer is silent: it has been sent something, and nothing came from it since. */
  get isSilent(): boolean {
    return this.#quietLooks >= silentAfterLooks;
  }

  /** The same, and the peer is known to answer pings. */
  get isFrozen(): boolean {
    return this.isSilent && this.#answersPings;
  }

  /** A call was sent. */
  called(): void {
    if (this.#timer !== undefined) return;
    this.#received = this.#options.received?.() ?? 0;
    this.#timer = setInterval(this.#look, lookMs).unref();
  }

  /** Something came from the peer. */
  heard(): void {
    this.#isHeard = true;
    if (this.#quietLooks >= silentAfterLooks) this.#endSilence();
  }

  /** The peer answered a ping. Those that know none are silent only while they have calls. */
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
