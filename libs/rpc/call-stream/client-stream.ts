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

/** Events at the client's end of a call stream. */
interface ClientStreamEvents {
  /** The server sent DRAIN. First: use another pod if there is one; second: close the session in any case. */
  drained(): void;
  /** The last call under way ended. */
  idle(): void;
  /** A message arrived from the server. */
  heard(): void;
  /** The server answered a ping. */
  ponged(): void;
  /** The server reported the state of its pod. */
  told(state: PodState): void;
}

interface Pending extends CallUnderWay {
  parts: PayloadParts | undefined;
  /** Whether the whole request has been handed to the transport. */
  isSent: boolean;
}

/** The client's end of one call stream: sends calls and matches answers to them. */
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

  /** Number of calls under way. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a PING, which the server answers with PONG. */
  ping(): void {
    if (!this.#stream.writableEnded && !this.#stream.destroyed)
      this.#writer.send({ ...emptyFrame, type: 'PING' });
  }

  /** Visits each call under way; fails those whose deadline has passed. */
  look(each: (underWay: CallUnderWay) => void): void {
    const now = performance.now();
    for (const [id, underWay] of this.#pending) {
      if (underWay.call.deadline < now) this.#giveUp(id, timeout(`${this.#service} did not answer in time`));
      else each(underWay);
    }
  }

  /** Sends a call; rejects only with a `StatusError`. */
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
      traceparent: call.trace?.traceparent ?? '',
      payload: method.request.encode(request),
      more: false,
    };
    if (call.trace !== undefined && call.trace.tracestate !== '') frame.tracestate = call.trace.tracestate;
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

  /** Fails every call under way with `ConnectionLost`; one whose request was not fully sent is marked as unprocessed. */
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
