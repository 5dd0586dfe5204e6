import { pause } from '@binnacle/event-loop';
import { deadlineIn } from '@binnacle/proto';
import type { EtcdConnection } from '../backends/etcd/connection.ts';

type Stream = Awaited<ReturnType<EtcdConnection['openWatch']>>;

/** Milliseconds that a watch may take to begin. */
const openTimeoutMs = 3000;

/**
 * Waits for changes of one key, as a hint: a stream that breaks tells of no change, and is opened anew with the next wait.
 * Who waits looks at the key after each wait, however it ended.
 */
export class KeyWatch implements Disposable {
  readonly #connection: EtcdConnection;
  readonly #key: Buffer;
  #stream: Stream | undefined;
  #wake: (() => void) | undefined;

  constructor(connection: EtcdConnection, key: Buffer) {
    this.#connection = connection;
    this.#key = key;
  }

  /** Resolves when the key has changed after a revision of etcd, after some milliseconds, or with the signal. */
  async changed(after: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    const wakeBy = (wake: () => void) => {
      this.#wake = wake;
      return () => {
        this.#wake = undefined;
      };
    };
    const waiting = pause(milliseconds, signal, { wakeBy });
    if (this.#stream === undefined) await this.#open(after, signal).catch(() => {});
    await waiting;
  }

  [Symbol.dispose](): void {
    this.#stream?.cancel();
    this.#stream = undefined;
  }

  async #open(after: number, signal: AbortSignal): Promise<void> {
    const stream = await this.#connection.openWatch({ signal, deadline: deadlineIn(openTimeoutMs) });
    this.#stream = stream;
    const drop = (): void => {
      if (this.#stream === stream) this.#stream = undefined;
    };
    stream.on('error', drop);
    stream.on('end', drop);
    stream.on('data', ({ events, canceled }) => {
      if (canceled) stream.cancel();
      if (events.length > 0) this.#wake?.();
    });
    stream.write({ create_request: { key: this.#key, start_revision: String(after + 1) } });
  }
}
