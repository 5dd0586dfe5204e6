import { statSync } from 'node:fs';
import type { MethodContract, ServiceContract, UnaryMethod } from '@binnacle/proto';
import type { HistogramChild, MetricFamily, Metrics } from '@binnacle/telemetry';
import { Client, connectivityState, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { CallQueue } from './call-queue.ts';
import { KmsError } from './kms-error.ts';

/** Options of a connection to a KMS plugin. */
interface KmsConnectionOptions {
  /** Name of the provider in the configuration. */
  readonly name: string;
  /** `unix:///run/kms.sock`, or `unix:///@kms` for a socket of the abstract namespace. */
  readonly endpoint: string;
  /** Time within which the plugin must answer a call, in ms. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

/** The methods of a plugin's service: they take a request alone, and have the deadline of the connection. */
type KmsCalls<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends UnaryMethod<infer Request, infer Response>
    ? (request: Request) => Promise<Response>
    : never;
};

/** A client, and the socket that its path led to when it was created. */
interface OwnClient {
  readonly client: Client;
  readonly socket: string | undefined;
}

/** Maximum size of an answer: an encrypted data key of 64 KiB, or annotations of 32 KiB, and the fields around them. */
const maxAnswerBytes = 131_072;

/** Milliseconds between two looks whether calls under way have ended. */
const drainLookMs = 20;

const channelOptions = {
  'grpc.max_receive_message_length': maxAnswerBytes,
  // Each client has a connection of its own, so that a new client does not inherit one that has fallen silent.
  'grpc.use_local_subchannel_pool': 1,
  // Pauses between attempts to connect; grpc-js varies each of them at random by a fifth.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  'grpc.enable_retries': 0,
};

/** A call waits for the connection until its deadline: a plugin that restarts costs a wait and not an error. */
const waitForReady = { waitForReady: true };

/**
 * The connection to the Unix socket of a KMS plugin. It opens with the first call and reopens when it breaks, with a backoff. When
 * the plugin does not answer, the next call opens another connection: the process behind the socket may be another one by then.
 *
 * Every call fails with a KmsError.
 */
export class KmsConnection {
  readonly #options: KmsConnectionOptions;
  readonly #path: string;
  readonly #durations: MetricFamily<HistogramChild>;
  readonly #queues: CallQueue[] = [];
  #current: OwnClient;
  /** Clients that were replaced, and may have calls under way. */
  readonly #left = new Set<Client>();

  constructor(options: KmsConnectionOptions) {
    this.#options = options;
    this.#path = pathFromEndpoint(options.endpoint);
    this.#current = this.#createClient();
    this.#durations = options.metrics.histogram({
      name: 'binnacle_storage_kms_call_seconds',
      help: 'Duration of the calls of KMS plugins, by provider, method and gRPC status.',
      labelNames: ['provider_name', 'method', 'status'],
    });
  }

  /** Creates the methods of a service; each has a limit of the calls that are under way at once. */
  serve<Service extends object>({ methods }: ServiceContract<Service>): KmsCalls<Service> {
    const calls = methods.map(method => {
      const queue = new CallQueue({ plugin: this.#options.name });
      this.#queues.push(queue);
      return [method.name, (request: unknown) => queue.run(() => this.#call(method, request))];
    });
    return Object.fromEntries(calls) as KmsCalls<Service>; // The contract names every method of its service.
  }

  /** Closes the connection when no call is under way any more. */
  async close(): Promise<void> {
    while (this.#queues.some(queue => !queue.isIdle))
      await new Promise(resolve => setTimeout(resolve, drainLookMs));
    for (const client of [...this.#left, this.#current.client]) client.close();
  }

  #createClient(): OwnClient {
    const path = this.#path;
    const target = path.startsWith('/@') ? `unix:\0${path.slice(2)}` : `unix://${path}`;
    const client = new Client(target, credentials.createInsecure(), channelOptions);
    return { client, socket: identifySocket(path) };
  }

  #call({ name, path, request: requestCodec, response }: MethodContract, request: unknown): Promise<unknown> {
    const used = this.#current;
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      used.client.makeUnaryRequest(
        path,
        value => requestCodec.encode(value) as Buffer, // Writers of protobuf return buffers in Node.
        bytes => response.decode(bytes),
        request,
        new Metadata(waitForReady),
        { deadline: Date.now() + this.#options.timeoutMs },
        (error: ServiceError | null, answer?: unknown) => {
          const { code } = error ?? { code: status.OK };
          const seconds = (performance.now() - startedAt) / 1000;
          this.#durations.labels(this.#options.name, name, status[code] ?? 'UNKNOWN').observe(seconds);
          if (error === null) return resolve(answer);
          reject(this.#errorFrom(error, name, used.client));
          if (code === status.DEADLINE_EXCEEDED) this.#leave(used);
        },
      );
    });
  }

  /**
   * Replaces the client of a call that had no answer; its other calls go on. A client that finds no socket goes on trying. One whose
   * connection is never accepted is replaced only when the socket is another one, since grpc-js never closes such a connection.
   */
  #leave({ client, socket }: OwnClient): void {
    if (client !== this.#current.client) return;
    const state = findState(client);
    if (state === connectivityState.TRANSIENT_FAILURE) return;
    if (state !== connectivityState.READY && socket === identifySocket(this.#path)) return;
    this.#left.add(client);
    this.#current = this.#createClient();
    const close = (): void => {
      this.#left.delete(client);
      client.close();
    };
    setTimeout(close, this.#options.timeoutMs).unref();
  }

  #errorFrom(error: ServiceError, method: string, client: Client): KmsError {
    const { name, timeoutMs } = this.#options;
    const plugin = `KMS plugin "${name}"`;
    const options = { cause: error };
    const isLate = error.code === status.DEADLINE_EXCEEDED;
    if (isLate && findState(client) === connectivityState.READY)
      return new KmsError('silent', `${plugin} did not answer ${method} within ${timeoutMs} ms`, options);
    if (isLate || error.code === status.UNAVAILABLE)
      return new KmsError('unreachable', `${plugin} cannot be reached`, options);
    return new KmsError('refused', `${plugin} failed to ${method}: ${status[error.code]}`, options);
  }
}

function findState(client: Client): connectivityState {
  return client.getChannel().getConnectivityState(false);
}

/** Identifies the socket at a path; undefined if none is visible there, or in the abstract namespace. */
function identifySocket(path: string): string | undefined {
  try {
    const { dev, ino, ctimeMs } = statSync(path);
    return `${dev}:${ino}:${ctimeMs}`;
  } catch {
    return undefined;
  }
}

/** Maximum length of the path of a Unix socket on Linux. */
const maxPathBytes = 107;

/**
 * Returns the path of an endpoint, which begins with `/@` for a socket of the abstract namespace. Throws if it is not the URL of a Unix
 * socket.
 */
export function pathFromEndpoint(endpoint: string): string {
  if (!URL.canParse(endpoint)) throw new Error('invalid endpoint for kms provider: it is not a URL');
  const { protocol, host, pathname, search, hash } = new URL(endpoint);
  const scheme = protocol.slice(0, -1);
  if (scheme !== 'unix')
    throw new Error(`unsupported scheme "${scheme}" for KMS provider, only unix is supported`);
  const path = `${host}${search}${hash}` === '' ? decodePath(pathname) : '';
  if (path.length < 2 || path.includes('\0'))
    throw new Error('invalid endpoint for kms provider: expected unix:///path/of/the/socket');
  if (Buffer.byteLength(path) > maxPathBytes)
    throw new Error(`invalid endpoint for kms provider: the path is longer than ${maxPathBytes} bytes`);
  return path;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return ''; // Not an encoding of a text.
  }
}
