import type { Vocabulary } from '@binnacle/api-names';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { FrameBatch } from '../call-stream/call-stream-method.ts';
import type { PodState } from '../call-stream/pod-state.ts';
import type { ServerStream } from '../call-stream/server-stream.ts';
import { apiNamesHeaders } from '../protocol/exchange-api-names.ts';
import { setStreamedMethods } from '../protocol/streamed-methods.ts';

/** Options of the open call streams. */
interface OpenStreamsOptions {
  /** Age at which a stream is drained (± 10 %), in ms, so that clients spread over new pods. */
  readonly maxAgeMs: number;
  /** Resolves when the pod is ready. Until then streams do not open: clients use other pods, or wait if there is none. */
  readonly ready: Promise<unknown>;
  readonly apiNames: Vocabulary | undefined;
  /** Paths of the methods that are served on call streams. */
  readonly methods: Iterable<string>;
}

type GrpcStream = ServerDuplexStream<FrameBatch, FrameBatch>;

/** The call streams of a server, from acceptance to end. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #streams = new Map<ServerStream, NodeJS.Timeout>();
  readonly #notReady = new Map<GrpcStream, ServerStream>();
  readonly #empty = Promise.withResolvers<void>();
  #isReady = false;
  #draining = false;
  #load: PodState = 'FREE';
  #preference: PodState = 'ORDINARY';

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
    options.ready.then(
      () => this.#startServing(),
      () => {}, // The service reports the failure; its streams never open.
    );
  }

  /** Adds a stream until it closes, and sends its response headers once the pod is ready; refuses it while the server drains. */
  add(grpcStream: GrpcStream, stream: ServerStream): void {
    if (this.#draining) {
      refuse(grpcStream);
      return;
    }
    // A jitter of ± 10 %, so that the clients of a pod do not all leave at once.
    const age = this.#options.maxAgeMs * (0.9 + Math.random() * 0.2);
    this.#streams.set(stream, setTimeout(() => stream.drain(), Math.min(age, 2 ** 31 - 1)).unref());
    const remove = () => this.#remove(grpcStream, stream);
    grpcStream.once('cancelled', remove);
    grpcStream.once('close', remove);
    grpcStream.once('finish', remove);
    if (this.#isReady) this.#open(grpcStream, stream);
    else this.#notReady.set(grpcStream, stream);
  }

  /** Reports the state of this pod to all clients, and to those that connect later. */
  tell(state: PodState): void {
    if (state === 'BUSY' || state === 'FREE') this.#load = state;
    else this.#preference = state;
    if (this.#isReady) for (const stream of this.#streams.keys()) stream.tell(state);
  }

  /** Drains all streams and refuses new ones; resolves when every client has disconnected. */
  drain(): Promise<void> {
    this.#draining = true;
    for (const grpcStream of this.#notReady.keys()) refuse(grpcStream);
    for (const stream of this.#streams.keys()) stream.drain();
    this.#noteEmpty();
    return this.#empty.promise;
  }

  /** Drains the remaining streams in any case: their clients leave although they know no other pod. */
  dismiss(): void {
    for (const stream of this.#streams.keys()) stream.dismiss();
  }

  #startServing(): void {
    this.#isReady = true;
    for (const [grpcStream, stream] of this.#notReady) this.#open(grpcStream, stream);
    this.#notReady.clear();
  }

  #open(grpcStream: GrpcStream, stream: ServerStream): void {
    const headers = apiNamesHeaders(this.#options.apiNames);
    setStreamedMethods(headers, this.#options.methods);
    grpcStream.sendMetadata(headers);
    if (this.#load === 'BUSY') stream.tell(this.#load);
    if (this.#preference === 'PREFERRED') stream.tell(this.#preference);
  }

  #remove(grpcStream: GrpcStream, stream: ServerStream): void {
    clearTimeout(this.#streams.get(stream));
    this.#streams.delete(stream);
    this.#notReady.delete(grpcStream);
    this.#noteEmpty();
  }

  #noteEmpty(): void {
    if (this.#draining && this.#streams.size === 0) this.#empty.resolve();
  }
}

function refuse(grpcStream: GrpcStream): void {
  grpcStream.emit(
    'error',
    Object.assign(new Error('stopping'), {
      code: status.UNAVAILABLE,
      details: 'the server is stopping',
    }),
  );
}
