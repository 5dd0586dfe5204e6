import { isIP } from 'node:net';
import type { Vocabulary } from '@binnacle/api-names';
import type { CallContext, MethodContract } from '@binnacle/proto';
import { Client, type ClientDuplexStream, credentials, type Metadata } from '@grpc/grpc-js';
import { callStreamMethod, type FrameBatch } from '../call-stream/call-stream-method.ts';
import { ClientStream } from '../call-stream/client-stream.ts';
import { maxBatchFrames, maxMessageBytes } from '../call-stream/limits.ts';
import { apiNamesHeaders, refusalFromError, refusalFromHeaders } from '../rpc/exchange-api-names.ts';
import type { TransportSecurity } from '../rpc/transport-security.ts';
import type { ResolvedAddress } from './resolve-addresses.ts';

/** How a session is opened. */
interface SessionOptions {
  readonly address: ResolvedAddress;
  readonly service: string;
  readonly security: TransportSecurity;
  readonly serverName: string | undefined;
  readonly openTimeoutMs: number;
  readonly apiNames: Vocabulary | undefined;
  /** The server answers calls. */
  readonly onOpen: () => void;
  /** The server asked for new calls to go elsewhere; it still serves those that cannot. */
  readonly onDrain: () => void;
  /** The connection is gone, or never came. */
  readonly onClose: (cause: unknown) => void;
}

/** How long a pod that did not answer in time is passed over while others are there. */
const suspectMs = 10_000;

/** Calls that wait for a pod while all go to it; with more it is full or does not answer, and others get their part. */
const mostPending = 2 * maxBatchFrames;
/** The same for how long a pod with calls sends nothing at all. */
const mostQuietMs = 250;

/**
 * One connection to one pod, from the first packet to the end.
 *
 * Its call stream is opened first: its state says whether the pod answers, and its headers whether both have the same API names,
 * or they leave each other. gRPC calls of their own share the
 * connection. A pod that drains asks for new calls to go elsewhere and waits a while: until its owner knows of another
 * pod and lets the session leave, it is the last resort. A session that leaves closes when its last call has ended.
 */
export class Session {
  readonly client: Client;
  readonly #options: SessionOptions;
  readonly #grpcStream: ClientDuplexStream<FrameBatch, FrameBatch>;
  readonly #stream: ClientStream;
  readonly #openTimer: NodeJS.Timeout;
  #state: 'opening' | 'open' | 'draining' | 'leaving' | 'closed' = 'opening';
  #ownCalls = 0;
  #suspectUntil = 0;
  #isBusy = false;
  #isPreferred = false;

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
      silent: () => {
        this.#suspectUntil = performance.now() + suspectMs;
      },
      heard: () => {
        this.#suspectUntil = 0;
      },
      told: state => {
        if (state === 'BUSY' || state === 'FREE') this.#isBusy = state === 'BUSY';
        else this.#isPreferred = state === 'PREFERRED';
      },
    });
    this.#openTimer = setTimeout(
      () => this.#close(new Error('the pod does not answer')),
      options.openTimeoutMs,
    );
    this.#openTimer.unref();
    const { service, apiNames } = options;
    this.#grpcStream.on('metadata', (headers: Metadata) => {
      const refusal = refusalFromHeaders(service, headers, apiNames);
      if (refusal) this.#close(refusal);
      else this.#opened();
    });
    this.#grpcStream.on('error', (error: Error) =>
      this.#close(refusalFromError(service, error, apiNames) ?? error),
    );
    this.#grpcStream.on('end', () => this.#close(new Error('the pod ended the stream')));
  }

  /** Whether new calls may be sent. */
  get usable(): boolean {
    return this.#state === 'open';
  }

  /** Whether new calls may be sent when there is no other session for them. */
  get isLastResort(): boolean {
    return this.#state === 'draining';
  }

  /** Whether the pod lately left a call without an answer. */
  get suspect(): boolean {
    return this.#suspectUntil !== 0 && performance.now() < this.#suspectUntil;
  }

  /** Whether calls cost less at this pod than at others, as it says. */
  get isPreferred(): boolean {
    return this.#isPreferred;
  }

  /** Whether the pod should take all calls that it can get: it has time, and answers. */
  get hasRoom(): boolean {
    const isPrompt = this.#stream.quietMs < mostQuietMs && !this.suspect;
    return isPrompt && !this.#isBusy && this.#stream.pending + this.#ownCalls < mostPending;
  }

  /** Sends a call on the call stream. */
  call(method: MethodContract, request: unknown, call: CallContext): Promise<unknown> {
    return this.#stream.call(method, request, call);
  }

  /** Holds the connection open for a gRPC call of its own; the result lets go. */
  hold(): () => void {
    this.#ownCalls++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#ownCalls--;
      this.#closeWhenIdle();
    };
  }

  /** Takes no new calls, and closes when the last one has ended. */
  leave(): void {
    if (this.#state === 'opening') this.#close(new Error('the pod is stopping'));
    if (this.#state !== 'open' && this.#state !== 'draining') return;
    this.#state = 'leaving';
    this.#closeWhenIdle();
  }

  /** Ends everything at once; calls under way fail as lost. */
  close(): void {
    this.#close(new Error('the client was closed'));
  }

  #opened(): void {
    if (this.#state !== 'opening') return;
    clearTimeout(this.#openTimer);
    this.#state = 'open';
    this.#options.onOpen();
  }

  #drained(): void {
    if (this.#state === 'draining') this.leave();
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#options.onDrain();
  }

  #closeWhenIdle(): void {
    if (this.#state !== 'leaving' || this.#ownCalls > 0 || this.#stream.pending > 0) return;
    this.#grpcStream.end();
    this.#close(undefined);
  }

  #close(cause: unknown): void {
    if (this.#state === 'closed') return;
    const graceful = cause === undefined;
    this.#state = 'closed';
    clearTimeout(this.#openTimer);
    this.#stream.fail(cause);
    // No call is left that a late error could fail.
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
    // Each session has a connection of its own, so that its end says nothing of others.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.enable_http_proxy': 0,
    ...(security.tls && name !== undefined ? { 'grpc.ssl_target_name_override': name } : {}),
  });
}
