/** Settings of a pulse. */
interface PulseOptions {
  /** Asks the pod for a sign. */
  readonly ping: () => void;
  /** Whether calls are under way. */
  readonly hasCalls: () => boolean;
  /** Called at each look, after the state was decided. */
  readonly onLook: () => void;
  /** The pod has not answered for `longSilenceMs`, or answers again after that. */
  readonly onLongSilence: (isSilent: boolean) => void;
}

/** Milliseconds between two looks at a pod that has calls under way. */
export const lookMs = 50;

/** Looks without a sign of the pod after which it is asked for one, and then once a second while it gives none. */
const pingAfterLooks = 2;
const pingEveryLooks = 20;

/** Looks without a sign of the pod after which it is silent: 250 ms. */
const silentAfterLooks = 5;

/** Looks without a sign of the pod after which operators hear of it: two seconds. */
const longSilenceLooks = 40;

/**
 * Whether a pod gives signs of life while calls are under way.
 *
 * A pod that is frozen, or behind a network that swallows everything, keeps its connections and answers nothing; one whose calls
 * take long answers pings in the meantime. One timer looks at the whole pod while it has calls, no call has one of its own. Time is
 * counted in looks: when this process itself stood still, that was one look, and says nothing of the pod.
 */
export class Pulse implements Disposable {
  readonly #options: PulseOptions;
  #timer: NodeJS.Timeout | undefined;
  #isHeard = false;
  #quietLooks = 0;
  #answersPings = false;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Whether the pod is silent: it has been sent something, and nothing came from it since. */
  get isSilent(): boolean {
    return this.#quietLooks >= silentAfterLooks;
  }

  /** The same, and the pod is known to answer pings. */
  get isFrozen(): boolean {
    return this.isSilent && this.#answersPings;
  }

  /** A call was sent. */
  called(): void {
    this.#timer ??= setInterval(this.#look, lookMs).unref();
  }

  /** Something came from the pod. */
  heard(): void {
    this.#isHeard = true;
    if (this.#quietLooks >= silentAfterLooks) this.#speaksAgain();
  }

  /** The pod answered a ping. Those of releases that know none are silent only while they have calls. */
  ponged(): void {
    this.#answersPings = true;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #speaksAgain(): void {
    const wasLong = this.#quietLooks >= longSilenceLooks;
    this.#quietLooks = 0;
    if (wasLong) this.#options.onLongSilence(false);
  }

  readonly #look = (): void => {
    const { ping, hasCalls, onLook, onLongSilence } = this.#options;
    if (!hasCalls() && !(this.isSilent && this.#answersPings)) {
      this.#quietLooks = 0;
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
      if (this.#quietLooks === longSilenceLooks) onLongSilence(true);
    }
    onLook();
  };
}
