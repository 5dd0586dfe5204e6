import type { CallContext } from './call.ts';

/** Turns one message type into bytes and back. */
export interface MessageCodec<T> {
  encode(message: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** One method of a service as both sides know it. */
export interface MethodContract {
  /** Name in the TypeScript interface: `typeRevision`. */
  readonly name: string;
  /** Name on the wire: `/binnacle.internal.storage.Storage/TypeRevision`. */
  readonly path: string;
  readonly serverStreaming: boolean;
  /** Served on the call stream, and called there. */
  readonly hot: boolean;
  readonly request: MessageCodec<unknown>;
  readonly response: MessageCodec<unknown>;
}

/**
 * One service as both sides know it. `Service` is the TypeScript interface that handlers implement and clients
 * offer alike: unary methods return a promise, streaming ones an async iterable. So in one process the handlers
 * themselves are the client.
 */
export interface ServiceContract<Service extends object> {
  readonly name: string;
  readonly methods: readonly MethodContract[];
  /** Never set: ties the contract to its interface for the type checker. */
  readonly service?: Service;
}

/** A unary method of a service interface. */
export type UnaryMethod<Request, Response> = (request: Request, call: CallContext) => Promise<Response>;

/** A server-streaming method of a service interface. */
export type StreamingMethod<Request, Response> = (
  request: Request,
  call: CallContext,
) => AsyncIterable<Response>;
