import { pause } from '@binnacle/event-loop';
import { StorageError } from '@binnacle/storage-contract';
import { findGrpcCode, grpcCode, RequestNotSent, wasNotSent } from './grpc-code.ts';

/** Options of detecting silence. */
interface SilenceOptions {
  /** Sends a request that changes nothing; it may fail after a short timeout of its own. */
  readonly probe: () => Promise<unknown>;
  /** Called when etcd stops answering, and when it answers again. */
  readonly onChange: (isSilent: boolean) => void;
  /** Milliseconds without any answer, while requests wait, after which etcd is silent. */
  readonly silentAfterMs?: number;
}

/**
 * Default of `silentAfterMs`: longer than a leader election, and short enough that a client request of several steps is answered
 * within 5 s.
 */
const defaultSilentAfterMs = 3000;

/** Milliseconds between checks for an answer. */
const tickMs = 250;

/** Milliseconds between probes of a silent etcd. */
const probeIntervalMs = 100;

/**
 * Detector of an etcd that does not answer at all. When requests wait and none is answered for some seconds, all waiting requests
 * fail at once, and later requests fail unsent until a probe is answered. So the timeout is spent once: not by each step of a
 * client's request in turn, nor by each write of a queue.
 *
 * Any answer counts, including errors of etcd and answers to abandoned requests. Time is counted in ticks of a timer: a process that
 * was suspended counts one tick, so its own pause is not taken for silence of etcd.
 */
export class EtcdSilence implements Disposable {
  readonly #options: SilenceOptions;
  readonly #mostQuietTicks: number;
  readonly #waiting = new Set<(error: StorageError) => void>();
  readonly #listeners = new Set<() => void>();
  readonly #end = new AbortController();
  #isTicking = false;
  #wasAnswered = false;
  #quietTicks = 0;
  #isSilent = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#mostQuietTicks = Math.ceil((options.silentAfterMs ?? defaultSilentAfterMs) / tickMs);
  }

  /** Throws RequestNotSent while etcd is silent. */
  assertAnswers(): void {
    if (this.#isSilent) throw new RequestNotSent(silentMessage);
  }

  /** Calls back once, when the next request succeeds; returns the function that cancels this. */
  onNextAnswer(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => {
      this.#listeners.delete(callback);
    };
  }

  /** Waits for a request; fails with `unavailable` when etcd turns out to be silent. */
  watch<T>(request: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.add(reject);
    if (!this.#isTicking) this.#tickLater();
    request.then(
      answer => {
        this.#waiting.delete(reject);
        this.#heard();
        if (this.#listeners.size > 0) this.#tellListeners();
        resolve(answer);
      },
      thrown => {
        this.#waiting.delete(reject);
        if (isAnswer(thrown)) this.#heard();
        // A refused connection does not keep requests waiting, but it does not end the silence.
        else if (wasNotSent(thrown)) this.#wasAnswered = true;
        reject(thrown);
      },
    );
    return promise;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }

  #heard(): void {
    this.#wasAnswered = true;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#quietTicks = 0;
    this.#options.onChange(false);
  }

  #tellListeners(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const tell of listeners) tell();
  }

  #tickLater(): void {
    this.#isTicking = true;
    setTimeout(() => this.#tick(), tickMs).unref();
  }

  #tick(): void {
    this.#isTicking = false;
    if (this.#wasAnswered) this.#quietTicks = 0;
    else if (this.#waiting.size > 0) this.#quietTicks++;
    this.#wasAnswered = false;
    if (this.#waiting.size === 0 || this.#isSilent) return;
    if (this.#quietTicks >= this.#mostQuietTicks) this.#begin();
    else this.#tickLater();
  }

  #begin(): void {
    this.#isSilent = true;
    this.#options.onChange(true);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reject of waiting) reject(new StorageError('unavailable', silentMessage));
    void this.#probeUntilHeard(); // Never rejects.
  }

  async #probeUntilHeard(): Promise<void> {
    while (this.#isSilent && !this.#end.signal.aborted) {
      try {
        await this.#options.probe();
        this.#heard();
        this.#tellListeners();
      } catch (thrown) {
        if (isAnswer(thrown)) this.#heard();
      }
      if (this.#isSilent) await pause(probeIntervalMs, this.#end.signal);
    }
  }
}

const silentMessage = 'etcd does not answer';

/** Whether an error comes from etcd itself, not from the connection or from a limit of this process. */
function isAnswer(thrown: unknown): boolean {
  if (thrown instanceof RequestNotSent) return isAnswer(thrown.cause);
  const code = findGrpcCode(thrown);
  if (code === undefined || code === grpcCode.deadlineExceeded || code === grpcCode.cancelled) return false;
  return code !== grpcCode.unavailable || (thrown instanceof Error && thrown.message.includes('etcdserver'));
}
