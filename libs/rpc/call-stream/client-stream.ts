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
import { abortError } from '../protocol/abort-error.ts';
import type { FrameBatch } from './call-stream-method.ts';
import type { CallUnderWay } from './call-under-way.ts';
import { emptyFrame, FrameWriter } from './frame-writer.ts';
import { maxPendingCalls } from './limits.ts';
import { PayloadParts } from './payload-parts.ts';
import { isPodState, type PodState } from './pod-state.ts';

/** The events of the client's end of a call stream. */
interface ClientStreamEvents {
  /** The server asked to go elsewhere where that can be; the second time, to leave in any case. */
  drained(): void;
  /** The last call ended. */
  idle(): void;
  /** Something came from the server. */
  heard(): void;
  /** The server answered a ping. */
  ponged(): void;
  /** The server says something about its pod. */
  told(state: PodState): void;
}

interface Pending extends CallUnderWay {
  parts: PayloadParts | undefined;
  /** Whether the whole request was handed to the transport. */
  isSent: boolean;
}

/** The client's end of one call stream: sends calls and matches answers with them. */
export class ClientStream {
  readonly #stream: ClientDuplexStream<FrameBatch, FrameBatch>;
  readonly #service: string;
  readonly #events: ClientStreamEvents;
  readonly #writer: FrameWriter;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;

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
      this.#events.heard();
      for (const frame of frames) this.#receive(frame);
    });
  }

  /** Calls under way. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Asks the server for a sign. */
  ping(): void {
    if (!this.#stream.writableEnded && !this.#stream.destroyed)
      this.#writer.send({ ...emptyFrame, type: 'PING' });
  }

  /** Looks at each call under way: those whose deadline has passed end. */
  look(each: (underWay: CallUnderWay) => void): void {
    const now = performance.now();
    for (const [id, underWay] of this.#pending) {
      if (underWay.call.deadline < now) this.#giveUp(id, timeout(`${this.#service} did not answer in time`));
      else each(underWay);
    }
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
      const cancel = () => this.#giveUp(id, abortError(call));
      call.signal.addEventListener('abort', cancel);
      const pending: Pending = {
        method,
        request,
        call,
        cancel,
        resolve,
        reject,
        looks: 0,
        isOverdue: false,
        parts: undefined,
        isSent: false,
      };
      this.#pending.set(id, pending);
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
    if (frame.type === 'RESPONSE') this.#respond(frame);
    else if (frame.type === 'ERROR') this.#refuse(frame);
    else if (frame.type === 'DRAIN') this.#events.drained();
    else if (frame.type === 'PONG') this.#events.ponged();
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
    pending.call.signal.removeEventListener('abort', pending.cancel);
    if (this.#pending.size === 0) this.#events.idle();
    return pending;
  }

  #giveUp(id: number, error: StatusError): void {
    const pending = this.#take(id);
    if (!pending) return;
    this.#writer.forget(id);
    if (!this.#stream.writableEnded && !this.#stream.destroyed) {
      this.#writer.send({ ...emptyFrame, type: 'CANCEL', id });
    }
    pending.reject(error);
  }
}
