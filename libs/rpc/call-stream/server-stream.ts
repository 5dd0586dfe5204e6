import { type CallFrame, receivedTrace, type Tracer } from '@binnacle/proto';
import {
  encodeStatusError,
  requestEntityTooLarge,
  resourceNotFound,
  type StatusError,
  serviceUnavailable,
  tooManyRequests,
} from '@binnacle/status-errors';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { BoundMethod } from '../protocol/method-table.ts';
import { callerRefusal } from '../protocol/peer.ts';
import type { RunCall } from '../protocol/run-call.ts';
import type { FrameBatch } from './call-stream-method.ts';
import { emptyFrame, FrameWriter } from './frame-writer.ts';
import { maxErrorBytes, maxMessageBytes, maxQueuedBytes } from './limits.ts';
import { PayloadParts } from './payload-parts.ts';
import type { PodState } from './pod-state.ts';
import { ServerCall } from './server-call.ts';

/** Options of the server's end of call streams. */
interface ServerStreamOptions {
  /** Methods served on call streams, by path. */
  readonly methods: ReadonlyMap<string, BoundMethod>;
  readonly maxCalls: number;
  readonly runCall: RunCall;
  /** Called for each call that arrives. */
  readonly called: () => void;
  /** The common name in the client's certificate; undefined without TLS. */
  readonly peer: string | undefined;
  readonly tracer: Tracer | undefined;
}

interface Running {
  readonly bound: BoundMethod;
  readonly call: ServerCall;
  /** Undefined once the request is complete. */
  parts: PayloadParts | undefined;
}

/** The server's end of one call stream: runs the calls that arrive on it and answers each as soon as it ends. */
export class ServerStream {
  readonly #stream: ServerDuplexStream<FrameBatch, FrameBatch>;
  readonly #options: ServerStreamOptions;
  readonly #writer: FrameWriter;
  readonly #running = new Map<number, Running>();
  #inputEnded = false;
  #draining = false;
  #closed = false;
  #isPongDue = false;

  constructor(stream: ServerDuplexStream<FrameBatch, FrameBatch>, options: ServerStreamOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#writer = new FrameWriter(stream, () => this.#resumeWhenRelieved());
    stream.on('data', (frames: FrameBatch) => {
      for (const frame of frames) this.#receive(frame);
    });
    stream.on('end', () => {
      this.#inputEnded = true;
      this.#endWhenIdle();
    });
    stream.on('error', () => this.close());
    stream.on('cancelled', () => this.close());
  }

  /** Sends DRAIN: the client sends new calls to another pod, if there is one; calls that still arrive are served. */
  drain(): void {
    if (!this.#draining) this.#sendDrain();
    this.#draining = true;
  }

  /** Sends DRAIN twice in total: the client closes the session, even without another pod, after its calls under way. */
  dismiss(): void {
    this.drain();
    this.#sendDrain();
  }

  /** Reports the state of this pod to the client. */
  tell(state: PodState): void {
    if (!this.#closed) this.#writer.send({ ...emptyFrame, type: state });
  }

  /** Aborts every call under way, after the client has disconnected. */
  close(): void {
    this.#closed = true;
    this.#writer.clear();
    const gone = serviceUnavailable('the caller disconnected');
    for (const { call } of this.#running.values()) call.abort(gone);
    this.#running.clear();
  }

  #sendDrain(): void {
    if (!this.#closed) this.#writer.send({ ...emptyFrame, type: 'DRAIN' });
  }

  #receive(frame: CallFrame): void {
    if (frame.type === 'CANCEL') this.#cancel(frame.id);
    else if (frame.type === 'PING') this.#pong();
    else if (frame.type === 'REQUEST') this.#request(frame);
  }

  #cancel(id: number): void {
    const running = this.#running.get(id);
    this.#writer.forget(id);
    if (!running) return;
    running.call.abort(serviceUnavailable('the caller cancelled the call'));
    // A running handler still counts towards `maxCalls`; otherwise a client could start any number by cancelling each.
    if (running.parts) this.#finish(id);
  }

  #pong(): void {
    // One queued PONG answers all pings received before it is sent, so that pings cannot fill the queue.
    if (this.#closed || this.#isPongDue) return;
    this.#isPongDue = true;
    this.#writer.send({ ...emptyFrame, type: 'PONG' }, () => {
      this.#isPongDue = false;
    });
  }

  #request(frame: CallFrame): void {
    const running = frame.method === '' ? this.#running.get(frame.id) : this.#begin(frame);
    if (!running?.parts) return;
    const payload = running.parts.add(frame);
    if (payload === 'more') return;
    running.parts = undefined;
    if (payload === 'too large') this.#fail(frame.id, requestEntityTooLarge(maxMessageBytes));
    else this.#run(frame.id, running, payload);
  }

  #begin(frame: CallFrame): Running | undefined {
    this.#options.called();
    const bound = this.#options.methods.get(frame.method);
    const refusal = this.#refusal(bound);
    if (refusal || !bound) {
      this.#sendError(frame.id, refusal ?? resourceNotFound());
      return undefined;
    }
    const call = new ServerCall(
      frame.timeoutMs,
      receivedTrace(frame.traceparent, frame.tracestate ?? '', this.#options.tracer),
    );
    const running: Running = { bound, call, parts: new PayloadParts() };
    this.#running.set(frame.id, running);
    return running;
  }

  #refusal(bound: BoundMethod | undefined): StatusError | undefined {
    if (!bound) return resourceNotFound();
    const refusal = callerRefusal(bound, this.#options.peer);
    if (refusal) return refusal;
    if (this.#running.size < this.#options.maxCalls) return undefined;
    return tooManyRequests('too many calls are under way on this stream', 1);
  }

  #run(id: number, { bound, call }: Running, payload: Uint8Array): void {
    this.#options
      .runCall(bound, call, () => bound.method.request.decode(payload))
      .then(
        response => this.#respond(id, call, bound.method.response.encode(response)),
        (error: StatusError) => this.#answerError(id, call, error),
      )
      .catch((error: unknown) => this.#stream.destroy(error instanceof Error ? error : undefined));
  }

  #respond(id: number, call: ServerCall, payload: Uint8Array): void {
    call.end();
    if (payload.length > maxMessageBytes) {
      this.#fail(id, requestEntityTooLarge(maxMessageBytes));
    } else if (call.aborted) {
      this.#finish(id);
    } else {
      this.#writer.send({ ...emptyFrame, type: 'RESPONSE', id, payload }, () => this.#finish(id));
      if (this.#writer.queuedBytes > maxQueuedBytes) this.#stream.pause();
    }
  }

  #answerError(id: number, call: ServerCall, error: StatusError): void {
    call.end();
    this.#fail(id, error);
  }

  #fail(id: number, error: StatusError): void {
    this.#sendError(id, error);
    this.#finish(id);
  }

  #sendError(id: number, error: StatusError): void {
    if (this.#closed) return;
    const payload = encodeStatusError(error, { maxBytes: maxErrorBytes });
    this.#writer.send({ ...emptyFrame, type: 'ERROR', id, payload });
  }

  #finish(id: number): void {
    this.#running.delete(id);
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (this.#inputEnded && this.#running.size === 0 && !this.#stream.writableEnded) this.#stream.end();
  }

  #resumeWhenRelieved(): void {
    if (this.#writer.queuedBytes <= maxQueuedBytes / 2 && this.#stream.isPaused()) this.#stream.resume();
  }
}
