import type { Vocabulary } from '@binnacle/api-names';
import { within } from '@binnacle/event-loop';
import type { Tracer } from '@binnacle/proto';
import { internalError, type StatusError } from '@binnacle/status-errors';
import { type Logger, type Metrics, silentLogger } from '@binnacle/telemetry';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { callStreamMethod, type FrameBatch } from '../call-stream/call-stream-method.ts';
import { maxMessageBytes, maxPendingCalls } from '../call-stream/limits.ts';
import { ServerStream } from '../call-stream/server-stream.ts';
import { createCallMetrics } from '../protocol/call-metrics.ts';
import { refuseOtherNames } from '../protocol/exchange-api-names.ts';
import { grpcErrorFrom } from '../protocol/grpc-errors.ts';
import { type BoundMethod, bindMethods } from '../protocol/method-table.ts';
import { callerRefusal, readPeerName } from '../protocol/peer.ts';
import { createRunCall, type RunCall } from '../protocol/run-call.ts';
import type { ServiceImplementation } from '../protocol/service-implementation.ts';
import type { TransportSecurity } from '../protocol/transport-security.ts';
import { callContextFrom } from './grpc-call-context.ts';
import { OpenStreams } from './open-streams.ts';
import { PodLoad, processCpuMicros } from './pod-load.ts';
import type { PodPreference } from './pod-preference.ts';
import { listenForRpc, type RpcListener } from './rpc-listener.ts';
import { type StreamingHandlerOptions, streamingHandler } from './streaming-handler.ts';

/** Options of a gRPC server. */
export type RpcServerOptions = TransportSecurity & {
  readonly services: readonly ServiceImplementation[];
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Age at which a connection is drained, in ms, so that clients spread over new pods; default: 600,000. */
  readonly maxConnectionAgeMs?: number;
  /** Maximum duration of a TLS handshake, in ms; default: 10,000. */
  readonly handshakeTimeoutMs?: number;
  /** Maximum number of open connections; default: 4,096. */
  readonly maxConnections?: number;
  /** Maximum number of calls under way on one call stream; further ones are refused with 429. Default: 1,024. */
  readonly maxCallsPerStream?: number;
  /** Maximum time that a stop waits for calls under way, in ms; default: 10,000. */
  readonly drainTimeoutMs?: number;
  /** Time for which a stopping server still serves clients that know no other pod, in ms; default: 3,000. */
  readonly leaveTimeoutMs?: number;
  /** The server accepts calls once it resolves; until then clients use other pods. Default: at once. */
  readonly ready?: Promise<unknown>;
  /** CPU time used so far, in µs, by which the server reports that its pod is busy; default: that of this process. */
  readonly cpuMicros?: () => number;
  /** Whether clients should prefer this pod; default: no pod is preferred. */
  readonly preference?: PodPreference;
  /** The API names that callers must have; default: those of this process. */
  readonly apiNames?: Vocabulary;
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Records spans of calls whose callers sample their traces; undefined: traces go on, and nothing is recorded. */
  readonly tracer?: Tracer | undefined;
  /** Stops the server when aborted. */
  readonly signal?: AbortSignal;
};

/** A gRPC server that accepts calls. */
export interface RpcServer extends AsyncDisposable {
  readonly port: number;
  /**
   * Drains all clients and serves their calls until all have left (at most `leaveTimeoutMs`); then closes the listener,
   * waits for calls under way (at most `drainTimeoutMs` in all) and closes all connections. No call of a client that
   * knows another pod is refused.
   */
  stop(): Promise<void>;
}

const defaultConnectionAgeMs = 10 * 60_000;

/** Time for which long calls may use a connection after its maximum age, in ms. */
const connectionGraceMs = 60_000;

/** Starts a gRPC server for the given services; resolves when it accepts calls. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const log = (options.log ?? silentLogger).child({ component: 'rpc-server' });
  const methods = bindMethods(options.services);
  const metrics = createCallMetrics('server', options.metrics);
  const runCall = createRunCall(metrics, log);
  const stopping = new AbortController();
  const maxAgeMs = options.maxConnectionAgeMs ?? defaultConnectionAgeMs;
  const { apiNames, tracer, ready = Promise.resolve() } = options;
  const hot = new Map(methods.filter(({ method }) => method.hot).map(bound => [bound.method.path, bound]));
  const streams = new OpenStreams({ maxAgeMs, ready, apiNames, methods: [...hot.keys()] });
  const load = new PodLoad({
    now: () => performance.now(),
    cpuMicros: options.cpuMicros ?? processCpuMicros,
    onChange: isBusy => streams.tell(isBusy ? 'BUSY' : 'FREE'),
  });
  options.preference?.follow(isPreferred => streams.tell(isPreferred ? 'PREFERRED' : 'ORDINARY'));
  const server = new Server(channelOptions(maxAgeMs));

  addMethods(server, methods, bound =>
    bound.method.serverStreaming
      ? streamingHandler(bound, {
          metrics,
          log,
          tracer,
          stopping: stopping.signal,
        } satisfies StreamingHandlerOptions)
      : unaryHandler(bound, runCall, tracer),
  );
  const streamOptions = {
    methods: hot,
    maxCalls: options.maxCallsPerStream ?? maxPendingCalls,
    runCall,
    tracer,
    called: () => load.called(),
  };
  server.addService(
    { open: callStreamMethod },
    {
      open: (stream: ServerDuplexStream<FrameBatch, FrameBatch>) => {
        if (refuseOtherNames(stream, apiNames)) return;
        streams.add(stream, new ServerStream(stream, { ...streamOptions, peer: readPeerName(stream) }));
      },
    },
  );

  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenForRpc({ ...options, host: options.host ?? '127.0.0.1' }, connection =>
    injector.injectConnection(connection),
  );
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    const { drainTimeoutMs = 10_000, leaveTimeoutMs = 3_000 } = options;
    stopped ??= stopServer(server, { listener, streams, stopping, drainTimeoutMs, leaveTimeoutMs });
    return stopped;
  };
  if (options.signal?.aborted) await stop();
  else options.signal?.addEventListener('abort', () => void stop(), { once: true });
  return { port: listener.port, stop, [Symbol.asyncDispose]: stop };
}

function channelOptions(maxAgeMs: number) {
  return {
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 3_000,
    'grpc.keepalive_permit_without_calls': 1,
    // Clients leave at the maximum age because of DRAIN; this closes the connections of those that do not.
    'grpc.max_connection_age_ms': Math.round(maxAgeMs * 1.2) + 1000,
    'grpc.max_connection_age_grace_ms': connectionGraceMs,
  };
}

function addMethods(
  server: Server,
  methods: readonly BoundMethod[],
  handlerOf: (bound: BoundMethod) => unknown,
): void {
  const definition: ServiceDefinition = Object.fromEntries(
    methods.map(({ method }) => [
      method.path,
      {
        path: method.path,
        requestStream: false,
        responseStream: method.serverStreaming,
        requestSerialize: method.request.encode as (value: unknown) => Buffer,
        requestDeserialize: method.request.decode,
        responseSerialize: method.response.encode as (value: unknown) => Buffer,
        responseDeserialize: method.response.decode,
      },
    ]),
  );
  const handlers = Object.fromEntries(methods.map(bound => [bound.method.path, handlerOf(bound)]));
  if (methods.length > 0) server.addService(definition, handlers as UntypedServiceImplementation);
}

interface StopOptions {
  readonly listener: RpcListener;
  readonly streams: OpenStreams;
  readonly stopping: AbortController;
  readonly drainTimeoutMs: number;
  readonly leaveTimeoutMs: number;
}

async function stopServer(
  server: Server,
  { listener, streams, stopping, drainTimeoutMs, leaveTimeoutMs }: StopOptions,
): Promise<void> {
  const force = setTimeout(() => {
    server.forceShutdown();
    listener.closeAll();
  }, drainTimeoutMs);
  const allLeft = streams.drain();
  // After DRAIN; otherwise the client of an endless stream would reopen it on this pod.
  setImmediate(() => stopping.abort());
  await within(allLeft, Math.min(leaveTimeoutMs, drainTimeoutMs), () => {});
  streams.dismiss();
  const closed = listener.stopAccepting();
  // `tryShutdown` does not wait for sessions of injected connections; the listener does.
  server.tryShutdown(() => {});
  await closed;
  clearTimeout(force);
}

/** Creates the grpc-js handler of a unary method. */
function unaryHandler(
  bound: BoundMethod,
  runCall: RunCall,
  tracer: Tracer | undefined,
): handleUnaryCall<unknown, unknown> {
  return (grpcCall, callback) => {
    const refusal = callerRefusal(bound, readPeerName(grpcCall));
    if (refusal) return callback(grpcErrorFrom(refusal));
    const call = callContextFrom(grpcCall, tracer);
    runCall(bound, call, () => grpcCall.request)
      .then(
        response => {
          call.end();
          callback(null, response);
        },
        (error: StatusError) => {
          call.end();
          callback(grpcErrorFrom(error));
        },
      )
      .catch((error: unknown) =>
        callback(grpcErrorFrom(internalError('the answer could not be sent', error))),
      );
  };
}
