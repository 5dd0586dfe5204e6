import { isIP } from 'node:net';
import type { Vocabulary } from '@binnacle/api-names';
import { Pulse } from '@binnacle/event-loop';
import type { CallContext, MethodContract } from '@binnacle/proto';
import { Client, type ClientDuplexStream, credentials, type Metadata } from '@grpc/grpc-js';
import { callStreamMethod, type FrameBatch } from '../call-stream/call-stream-method.ts';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import { ClientStream } from '../call-stream/client-stream.ts';
import { maxBatchFrames, maxMessageBytes } from '../call-stream/limits.ts';
import {
  apiNamesHeaders,
  otherRelease,
  refusalFromError,
  refusalFromHeaders,
} from '../protocol/exchange-api-names.ts';
import { readStreamedMethods } from '../protocol/streamed-methods.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';

import type { ResolvedAddress } from './resolve-addresses.ts';

/** Options of a session. */
interface SessionOptions {
  readonly address: ResolvedAddress;
  readonly service: string;
  readonly security: TransportSecurity;
  readonly serverName: string | undefined;
  readonly openTimeoutMs: number;
  readonly apiNames: Vocabulary | undefined;
  /** The server accepts calls; it names its release where that is another one. */
  readonly onOpen: (otherRelease: string | undefined) => void;
  /** The server sent DRAIN: new calls go to other pods; the server still serves calls that have no other pod. */
  readonly onDrain: () => void;
  /** The connection is closed, or could not be opened. */
  readonly onClose: (cause: unknown) => void;
  /** The pod has not answered for 2 s while calls wait for it, or answers again after that. */
  readonly onLongSilence: (isSilent: boolean) => void;
  /** Called for each call under way, every 50 ms. */
  readonly onLook: (session: Session, underWay: CallUnderWay) => void;
}

/** Calls under way at which a pod is full; further ones go to other pods. */
const mostPending = 2 * maxBatchFrames;

/**
 * One connection to one pod, from the attempt to its end.
 *
 * The session opens its call stream first: the response headers show that the pod accepts calls and which API names it
 * has; with other names the session closes. Separate gRPC calls share the connection. A pod that drains still serves
 * calls for a while: the session is the last resort until the link knows another pod and calls `leave`. A session that
 * leaves closes when its last call has ended.
 */
export class Session {
  readonly client: Client;
  readonly #options: SessionOptions;
  readonly #grpcStream: ClientDuplexStream<FrameBatch, FrameBatch>;
  readonly #stream: ClientStream;
  readonly #openTimer: NodeJS.Timeout;
  #state: 'opening' | 'open' | 'draining' | 'leaving' | 'closed' = 'opening';
  readonly #pulse: Pulse;
  /** Separate gRPC calls under way. */
  readonly #ownCalls = new Set<CallUnderWay>();
  /** Number of streaming calls under way; they are not checked for overdue answers. */
  #streams = 0;
  #isBusy = false;
  #isPreferred = false;
  #streamed: ReadonlySet<string> = new Set();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.client = createClient(options);
    this.#grpcStream = this.client.makeBidiStreamRequest(
      callStreamMethod.path,
      callStreamMethod.requestSerialize,
      callStreamMethod.responseDeserialize,
      apiNamesHeaders(options.apiNames),
    );
    this.#stream = new ClientStream(this.#grpcStream, options.service, {
      drained: () => this.#drained(),
      idle: () => this.#closeWhenIdle(),
      heard: () => this.#pulse.heard(),
      ponged: () => this.#pulse.ponged(),
      told: state => {
        if (state === 'BUSY' || state === 'FREE') this.#isBusy = state === 'BUSY';
        else this.#isPreferred = state === 'PREFERRED';
      },
    });
    const look = (underWay: CallUnderWay): void => {
      underWay.looks++;
      options.onLook(this, underWay);
    };
    this.#pulse = new Pulse({
      ping: () => this.#stream.ping(),
      hasCalls: () => this.#stream.pending + this.#ownCalls.size > 0,
      onLook: () => {
        this.#stream.look(look);
        for (const underWay of this.#ownCalls) look(underWay);
      },
      onLongSilence: options.onLongSilence,
    });
    this.#openTimer = setTimeout(
      () => this.#close(new Error('the pod does not answer')),
      options.openTimeoutMs,
    );
    this.#openTimer.unref();
    const { service, apiNames } = options;
    this.#grpcStream.on('metadata', (headers: Metadata) => {
      const refusal = refusalFromHeaders(service, headers, apiNames);
      if (refusal) return this.#close(refusal);
      this.#streamed = readStreamedMethods(headers);
      this.#opened(otherRelease(headers));
    });
    this.#grpcStream.on('error', (error: Error) =>
      this.#close(refusalFromError(service, error, apiNames) ?? error),
    );
    this.#grpcStream.on('end', () => this.#close(new Error('the pod ended the stream')));
  }

  /** Whether the session accepts new calls. */
  get usable(): boolean {
    return this.#state === 'open';
  }

  /** Whether the session accepts new calls that have no other pod. */
  get isLastResort(): boolean {
    return this.#state === 'draining';
  }

  /** Whether the pod has not answered for 250 ms while calls wait for it. */
  get isSilent(): boolean {
    return this.#pulse.isSilent;
  }

  /** Whether a silent pod has answered pings before, so that it is frozen rather than slow. */
  get isFrozen(): boolean {
    return this.#pulse.isFrozen;
  }

  /** Whether the pod reports itself as preferred: calls cost less there. */
  get isPreferred(): boolean {
    return this.#isPreferred;
  }

  /** Whether the pod should receive further calls first: it is not busy, not full and not silent. */
  get hasRoom(): boolean {
    const calls = this.#stream.pending + this.#ownCalls.size + this.#streams;
    return !this.#isBusy && calls < mostPending && !this.#pulse.isSilent;
  }

  /** Whether the pod accepts a method on the call stream. */
  acceptsOnStream(method: MethodContract): boolean {
    return this.#streamed.has(method.path);
  }

  /** Sends a call on the call stream. */
  call(method: MethodContract, request: unknown, call: CallContext): Promise<unknown> {
    this.#pulse.called();
    return this.#stream.call(method, request, call);
  }

  /** Keeps the connection open for a separate gRPC call, until `release`. */
  hold(underWay: CallUnderWay): void {
    this.#ownCalls.add(underWay);
    this.#pulse.called();
  }

  /** Ends the hold of a call. */
  release(underWay: CallUnderWay): void {
    if (this.#ownCalls.delete(underWay)) this.#closeWhenIdle();
  }

  /** Keeps the connection open for a streaming call; returns a function that releases it. */
  holdForStream(): () => void {
    this.#streams++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#streams--;
      this.#closeWhenIdle();
    };
  }

  /** Accepts no new calls; closes when the last one has ended. */
  leave(): void {
    if (this.#state === 'opening') this.#close(new Error('the pod is stopping'));
    if (this.#state !== 'open' && this.#state !== 'draining') return;
    this.#state = 'leaving';
    this.#closeWhenIdle();
  }

  /** Closes the connection at once; calls under way fail with `ConnectionLost`. */
  close(): void {
    this.#close(new Error('the client was closed'));
  }

  #opened(release: string | undefined): void {
    if (this.#state !== 'opening') return;
    clearTimeout(this.#openTimer);
    this.#state = 'open';
    // The answer shows, before a call waits, that the pod answers pings.
    this.#stream.ping();
    this.#options.onOpen(release);
  }

  #drained(): void {
    if (this.#state === 'draining') this.leave();
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#options.onDrain();
  }

  #closeWhenIdle(): void {
    if (this.#state !== 'leaving' || this.#ownCalls.size + this.#streams + this.#stream.pending > 0) return;
    this.#grpcStream.end();
    this.#close(undefined);
  }

  #close(cause: unknown): void {
    if (this.#state === 'closed') return;
    const graceful = cause === undefined;
    this.#state = 'closed';
    clearTimeout(this.#openTimer);
    this.#pulse[Symbol.dispose]();
    this.#stream.fail(cause);
    // All calls have ended, so a late error has no effect.
    this.#grpcStream.on('error', () => {});
    if (!graceful) this.#grpcStream.cancel();
    this.client.close();
    this.#options.onClose(cause);
  }
}

function createClient({ address, security, serverName }: SessionOptions): Client {
  const name = serverName ?? (isIP(address.host) ? undefined : address.host);
  const channelCredentials = security.tls
    ? credentials.createSsl(security.tls.ca, security.tls.key, security.tls.cert)
    : credentials.createInsecure();
  return new Client(address.target, channelCredentials, {
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 3_000,
    'grpc.keepalive_permit_without_calls': 1,
    // Each session has its own connection, so that closing it does not affect others.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.enable_http_proxy': 0,
    ...(security.tls && name !== undefined ? { 'grpc.ssl_target_name_override': name } : {}),
  });
}
