import { pause } from '@binnacle/event-loop';
import { deadlineIn } from '@binnacle/proto';
import type { EtcdConnection } from '../backends/etcd/connection.ts';

type Stream = Awaited<ReturnType<EtcdConnection['openWatch']>>;

/** Milliseconds that a watch may take to begin. */
const openTimeoutMs = 3000;

/**
 * Waits for changes of one key, as a hint: a broken stream reports no change, and is reopened by the next wait. Callers read the key
 * after each wait, however it ended.
 */
export class KeyWatch implements Disposable {
  readonly #connection: EtcdConnection;
  readonly #key: Buffer;
  #stream: Stream | undefined;
  #isOpening = false;
  #isDisposed = false;
  /** The newest revision of etcd at which the stream reported a change. */
  #changedAt = 0;
  #wake: (() => void) | undefined;

  constructor(connection: EtcdConnection, key: Buffer) {
    this.#connection = connection;
    this.#key = key;
  }

  /** Resolves when the key has changed after a revision of etcd, after some milliseconds, or when the signal aborts. */
  async changed(after: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#changedAt > after) return;
    const wakeBy = (wake: () => void) => {
      this.#wake = wake;
      return () => {
        this.#wake = undefined;
      };
    };
    if (this.#stream === undefined && !this.#isOpening) void this.#open(after, signal); // Never rejects.
    await pause(milliseconds, signal, { wakeBy });
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#stream?.cancel();
    this.#stream = undefined;
  }

  async #open(after: number, signal: AbortSignal): Promise<void> {
    this.#isOpening = true;
    try {
      const stream = await this.#connection.openWatch({ signal, deadline: deadlineIn(openTimeoutMs) });
      this.#follow(stream, after);
    } catch {
      // The next wait tries anew.
    } finally {
      this.#isOpening = false;
    }
  }

  #follow(stream: Stream, after: number): void {
    const drop = (): void => {
      if (this.#stream === stream) this.#stream = undefined;
    };
    stream.on('error', drop);
    stream.on('end', drop);
    if (this.#isDisposed) {
      stream.cancel();
      return;
    }
    this.#stream = stream;
    stream.on('data', ({ events, canceled }) => {
      if (canceled) stream.cancel();
      for (const { kv } of events) this.#changedAt = Math.max(this.#changedAt, Number(kv.mod_revision));
      if (events.length > 0) this.#wake?.();
    });
    stream.write({ create_request: { key: this.#key, start_revision: String(after + 1) } });
  }
}
