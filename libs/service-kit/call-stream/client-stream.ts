import { type CallContext, type CallFrame, type MethodContract, millisecondsUntil } from '@binnacle/proto';
import {
  ConnectionLost,
  decodeStatusError,
  internalError,
  type StatusError,
  timeout,
  tooManyRequests,
} from '@binnacle/status-errors';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { abortError } from '../rpc/abort-error.ts';
import type { FrameBatch } from './call-stream-method.ts';
import { emptyFrame, FrameWriter } from './frame-writer.ts';
import { maxPendingCalls } from './limits.ts';
import { PayloadParts } from './payload-parts.ts';
import { isPodState, type PodState } from './pod-state.ts';

/** What the client's end of a call stream tells its owner. */
interface ClientStreamEvents {
  /** The server asked to go elsewhere where that can be; the second time, to leave in any case. */
  drained(): void;
  /** The last call ended. */
  idle(): void;
  /** A call got no answer in its time, and nothing else came meanwhile. */
  silent(): void;
  /** Something came from the server. */
  heard(): void;
  /** The server says something about its pod. */
  told(state: PodState): void;
}

interface Pending {
  readonly method: MethodContract;
  readonly call: CallContext;
  readonly sentAt: number;
  /** How many frames had come from the server when the call was sent. */
  readonly heardBefore: number;
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: StatusError) => void;
  readonly onAbort: () => void;
  parts: PayloadParts | undefined;
  /** Whether the whole request was handed to the transport. */
  isSent: boolean;
}

/** How often calls are looked at whose signal does not tell of their deadline. */
const sweepMs = 100;

/** A deadline that passes after this long without any sign of the server says something about the server. */
const silenceMs = 1000;

/** The client's end of one call stream: sends calls and matches answers with them. */
export class ClientStream {
  readonly #stream: ClientDuplexStream<FrameBatch, FrameBatch>;
  readonly #service: string;
  readonly #events: ClientStreamEvents;
  readonly #writer: FrameWriter;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #framesHeard = 0;
  /** When the server last sent something, or was sent the first of the calls under way. */
  #quietSince = 0;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    stream: ClientDuplexStream<FrameBatch, FrameBatch>,
    service: string,
    events: ClientStreamEvents,
  ) {
    this.#stream = stream;
    this.#service = service;
    this.#events = events;
    this.#writer = new FrameWriter(stream);
    stream.on('data', (frames: FrameBatch) => {
      this.#framesHeard += frames.length;
      this.#quietSince = performance.now();
      for (const frame of frames) this.#receive(frame);
    });
  }

  /** Calls under way. */
  get pending(): number {
    return this.#pending.size;
  }

  /** How long calls have been under way without any sign of the server; 0 where there are none. */
  get quietMs(): number {
    return this.#pending.size === 0 ? 0 : performance.now() - this.#quietSince;
  }

  /** Sends a call; rejected with a `StatusError` only. */
  call(method: MethodContract, request: unknown, call: CallContext): Promise<unknown> {
    if (call.signal.aborted) return Promise.reject(abortError(call));
    if (this.#pending.size >= maxPendingCalls) {
      return Promise.reject(tooManyRequests(`too many calls to ${this.#service} are under way`, 1));
    }
    const id = this.#freeId();
    const frame: CallFrame = {
      type: 'REQUEST',
      id,
      method: method.path,
      timeoutMs: Number.isFinite(call.deadline) ? Math.max(1, millisecondsUntil(call.deadline)) : 0,
      traceparent: call.traceparent ?? '',
      payload: method.request.encode(request),
      more: false,
    };
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#giveUp(id, abortError(call));
      call.signal.addEventListener('abort', onAbort);
      const pending: Pending = {
        method,
        call,
        sentAt: performance.now(),
        heardBefore: this.#framesHeard,
        resolve,
        reject,
        onAbort,
        parts: undefined,
        isSent: false,
      };
      if (this.#pending.size === 0) this.#quietSince = pending.sentAt;
      this.#pending.set(id, pending);
      this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref();
      this.#writer.send(frame, () => {
        pending.isSent = true;
      });
    });
  }

  /** Fails every call under way: the stream is gone. The outcome of those whose request was sent as a whole is unknown. */
  fail(cause: unknown): void {
    this.#writer.clear();
    const message = `the connection to ${this.#service} broke`;
    for (const id of [...this.#pending.keys()]) {
      const pending = this.#take(id);
      pending?.reject(new ConnectionLost(message, cause, { isUnprocessed: !pending.isSent }));
    }
  }

  #freeId(): number {
    do this.#nextId = (this.#nextId + 1) >>> 0;
    while (this.#nextId === 0 || this.#pending.has(this.#nextId));
    return this.#nextId;
  }

  #receive(frame: CallFrame): void {
    this.#events.heard();
    if (frame.type === 'RESPONSE') this.#respond(frame);
    else if (frame.type === 'ERROR') this.#refuse(frame);
    else if (frame.type === 'DRAIN') this.#events.drained();
    else if (isPodState(frame.type)) this.#events.told(frame.type);
  }

  #respond(frame: CallFrame): void {
    const payload = this.#assemble(frame);
    if (payload === undefined) return;
    const pending = this.#take(frame.id);
    if (!pending) return;
    try {
      pending.resolve(pending.method.response.decode(payload));
    } catch (error) {
      pending.reject(internalError(`the answer of ${this.#service} cannot be decoded`, error));
    }
  }

  #refuse(frame: CallFrame): void {
    const payload = this.#assemble(frame);
    if (payload !== undefined) this.#take(frame.id)?.reject(decodeStatusError(payload));
  }

  #assemble(frame: CallFrame): Uint8Array | undefined {
    const pending = this.#pending.get(frame.id);
    if (!pending) return undefined;
    if (!pending.parts && !frame.more) return frame.payload;
    pending.parts ??= new PayloadParts();
    const payload = pending.parts.add(frame);
    if (payload === 'too large') {
      this.#take(frame.id)?.reject(internalError(`the answer of ${this.#service} is too large`));
      return undefined;
    }
    return payload === 'more' ? undefined : payload;
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    pending.call.signal.removeEventListener('abort', pending.onAbort);
    if (this.#pending.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
      this.#events.idle();
    }
    return pending;
  }

  #giveUp(id: number, error: StatusError): void {
    const pending = this.#take(id);
    if (!pending) return;
    this.#writer.forget(id);
    if (!this.#stream.writableEnded && !this.#stream.destroyed) {
      this.#writer.send({ ...emptyFrame, type: 'CANCEL', id });
    }
    if (this.#isSilence(pending)) this.#events.silent();
    pending.reject(error);
  }

  /** Whether the call ended by its deadline, after a time in which nothing at all came from the server. */
  #isSilence({ call, sentAt, heardBefore }: Pending): boolean {
    const now = performance.now();
    // Timers may fire a little before the clock says so.
    const expired = now >= call.deadline - 20;
    return expired && now - sentAt >= silenceMs && heardBefore === this.#framesHeard;
  }

  #sweep(): void {
    const now = performance.now();
    for (const [id, { call }] of this.#pending) {
      if (now > call.deadline) this.#giveUp(id, timeout(`${this.#service} did not answer in time`));
    }
  }
}
