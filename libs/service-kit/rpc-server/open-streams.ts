import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import type { FrameBatch } from '../call-stream/call-stream-method.ts';
import type { ServerStream } from '../call-stream/server-stream.ts';

/** The call streams that are open on a server; each is drained at an age, so that clients spread over new pods. */
export class OpenStreams {
  readonly #maxAgeMs: number;
  readonly #streams = new Map<ServerStream, NodeJS.Timeout>();
  #draining = false;

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Keeps a stream until it closes, and tells its client that it is open. */
  add(grpcStream: ServerDuplexStream<FrameBatch, FrameBatch>, stream: ServerStream): void {
    // Spread by a tenth, or all clients of a pod would leave it at once.
    const age = this.#maxAgeMs * (0.9 + Math.random() * 0.2);
    this.#streams.set(stream, setTimeout(() => stream.drain(), Math.min(age, 2 ** 31 - 1)).unref());
    const remove = () => {
      clearTimeout(this.#streams.get(stream));
      this.#streams.delete(stream);
    };
    grpcStream.once('cancelled', remove);
    grpcStream.once('close', remove);
    grpcStream.once('finish', remove);
    grpcStream.sendMetadata(new Metadata());
    if (this.#draining) stream.drain();
  }

  /** Sends the clients of all streams elsewhere, those of later ones too. */
  drain(): void {
    this.#draining = true;
    for (const stream of this.#streams.keys()) stream.drain();
  }
}
