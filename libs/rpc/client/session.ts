import { isIP } from 'node:net';
import type { Vocabulary } from '@binnacle/api-names';
import { Pulse } from '@binnacle/event-loop';
import type { CallContext, MethodContract } from '@binnacle/proto';
import { Client, type ClientDuplexStream, credentials, type Metadata } from '@grpc/grpc-js';
import { callStreamMethod, type FrameBatch } from '../call-stream/call-stream-method.ts';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import { ClientStream } from '../call-stream/client-stream.ts';
import { maxBatchFrames, maxMessageBytes } from '../call-stream/limits.ts';
import { apiNamesHeaders, refusalFromError, refusalFromHeaders } from '../protocol/exchange-api-names.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';

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
  /** The pod has given no sign for long though calls wait for it, or gives one again. */
  readonly onLongSilence: (isSilent: boolean) => void;
  /** Hears of each call under way, again and again while it lasts. */
  readonly onLook: (session: Session, underWay: CallUnderWay) => void;
}

/** Calls that wait for a pod while all go to it; with more it is full, and others get their part. */
const mostPending = 2 * maxBatchFrames;

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
  readonly #pulse: Pulse;
  /** gRPC calls of their own under way. */
  readonly #ownCalls = new Set<CallUnderWay>();
  /** The same for streams, of which no answer is expected. */
  #streams = 0;
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

  /** Whether the pod gives no sign though calls wait for it. */
  get isSilent(): boolean {
    return this.#pulse.isSilent;
  }

  /** Whether it is certain that a silent pod is not only slow. */
  get isFrozen(): boolean {
    return this.#pulse.isFrozen;
  }

  /** Whether calls cost less at this pod than at others, as it says. */
  get isPreferred(): boolean {
    return this.#isPreferred;
  }

  /** Whether the pod should take all calls that it can get: it has time, and answers. */
  get hasRoom(): boolean {
    const calls = this.#stream.pending + this.#ownCalls.size + this.#streams;
    return !this.#isBusy && calls < mostPending && !this.#pulse.isSilent;
  }

  /** Sends a call on the call stream. */
  call(method: MethodContract, request: unknown, call: CallContext): Promise<unknown> {
    this.#pulse.called();
    return this.#stream.call(method, request, call);
  }

  /** Holds the connection open for a gRPC call of its own until it is let go. */
  hold(underWay: CallUnderWay): void {
    this.#ownCalls.add(underWay);
    this.#pulse.called();
  }

  /** Lets go of what `hold` was given. */
  release(underWay: CallUnderWay): void {
    if (this.#ownCalls.delete(underWay)) this.#closeWhenIdle();
  }

  /** Holds the connection open for a stream; the result lets go. */
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
    // Whether the pod answers pings is known before a call waits for it.
    this.#stream.ping();
    this.#options.onOpen();
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
