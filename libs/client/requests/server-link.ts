import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { lookMs, Pulse } from '@binnacle/event-loop';

/** An HTTP/2 connection to a server, shared by requests and watches. */
export interface ServerLink {
  readonly isOpen: boolean;
  /** Whether another request can start now: the connection has a free stream, and the server has not sent GOAWAY. */
  readonly hasRoom: boolean;
  /** Whether requests wait for the server and it has sent nothing for 250 ms, not even the answer to a ping. */
  readonly isSilent: boolean;
  /** Starts a request; it occupies a stream at once. */
  request(headers: Readonly<Record<string, string>>, exchange: LinkExchange): ClientHttp2Stream;
  /** Ends the watches, but no other requests. */
  endWatches(): void;
}

/** A request on a link. */
export interface LinkExchange {
  readonly body?: Buffer | undefined;
  /** Whether the answer is a watch, which may be without data for long periods. */
  readonly isWatch: boolean;
  /** Called when the request has waited for 500 ms at a silent server; for a watch also when its connection is closed. */
  onSilent(): void;
}

/** Options of a link. */
interface ServerLinkOptions {
  readonly server: URL;
  readonly tls: ConnectionOptions;
  /** Timeout of connecting, in ms. */
  readonly connectTimeoutMs: number;
  /** Time without data after which the link pings a server with watches, in ms. */
  readonly pingMs: number;
  /** Time without data, while requests wait, after which the link closes the connection, in ms. */
  readonly longSilenceMs: number;
  /** Closes the connection, or aborts the attempt. */
  readonly signal: AbortSignal;
}

/** Flow-control windows as large as those of Go's client, so that an answer that is read slowly does not block others. */
const streamWindowBytes = 4 * 1024 * 1024;
const connectionWindowBytes = 2 ** 30;

/** Checks after which a request to a silent server is reported: 500 ms. */
const looksWhenSilent = 500 / lookMs;

/**
 * Connects to a server. Resolves with `undefined` if the server does not support HTTP/2; rejects if the connection
 * fails. The link closes, with all its streams, when a server sends nothing for `longSilenceMs`: it may be frozen, or
 * its machine may have disappeared.
 */
export async function openServerLink(options: ServerLinkOptions): Promise<ServerLink | undefined> {
  options.signal.throwIfAborted();
  const { promise: opened, resolve, reject } = Promise.withResolvers<ServerLink | undefined>();
  const socket = connectSocket(options);
  const giveUp = () => socket.destroy(new Error('the connection is not needed any more'));
  options.signal.addEventListener('abort', giveUp, { once: true });
  const late = setTimeout(
    () => socket.destroy(new Error(`no connection within ${options.connectTimeoutMs} ms`)),
    options.connectTimeoutMs,
  );
  socket.once('error', reject);
  socket.once('close', () => {
    clearTimeout(late);
    options.signal.removeEventListener('abort', giveUp);
    reject(new Error('the server ended the connection'));
  });
  socket.once('secureConnect', () => {
    if (socket.alpnProtocol !== 'h2') {
      resolve(undefined);
      socket.destroy();
      return;
    }
    const session = startSession(socket, options);
    // The settings contain the maximum number of concurrent streams.
    session.once('remoteSettings', () => {
      clearTimeout(late);
      resolve(new Http2Link(session, socket, options));
    });
  });
  return opened;
}

function connectSocket({ server, tls }: ServerLinkOptions): TLSSocket {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  return connectTls({
    host,
    port: Number(server.port || 443),
    servername: isIP(host) ? '' : host,
    ...tls,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
}

function startSession(socket: TLSSocket, { server }: ServerLinkOptions): ClientHttp2Session {
  const session = connect(server, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: streamWindowBytes },
  });
  // Each stream of the session reports the error itself.
  session.on('error', () => {});
  session.once('connect', () => session.setLocalWindowSize(connectionWindowBytes));
  return session;
}

/** A request that waits for the server. */
interface Waiting {
  looks: number;
  readonly onSilent: () => void;
}

class Http2Link implements ServerLink {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #pulse: Pulse;
  readonly #waiting = new Set<Waiting>();
  /** The watches with their `onSilent` callbacks. */
  readonly #watches = new Map<ClientHttp2Stream, () => void>();
  #streams = 0;
  #isPinged = false;
  #received = 0;

  constructor(session: ClientHttp2Session, socket: TLSSocket, { pingMs, longSilenceMs }: ServerLinkOptions) {
    this.#session = session;
    this.#socket = socket;
    this.#pulse = new Pulse({
      ping: () => this.#ping(),
      hasCalls: () => this.#waiting.size > 0 || this.#isPinged,
      onLook: () => this.#look(),
      onLongSilence: () => {
        for (const onSilent of this.#watches.values()) onSilent();
        session.destroy(gone(`no data received for ${longSilenceMs} ms`));
      },
      longSilenceMs,
      received: () => socket.bytesRead,
    });
    // Every HTTP/2 server answers pings.
    this.#pulse.ponged();
    const asking = setInterval(() => this.#askForWatches(), pingMs);
    session.once('close', () => {
      clearInterval(asking);
      this.#pulse[Symbol.dispose]();
    });
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  get hasRoom(): boolean {
    const { maxConcurrentStreams: most = Number.POSITIVE_INFINITY } = this.#session.remoteSettings;
    // With a server limit of 0, the first request waits on the connection.
    return this.isOpen && this.#streams < Math.max(1, most);
  }

  get isSilent(): boolean {
    return this.#pulse.isSilent;
  }

  request(
    headers: Readonly<Record<string, string>>,
    { body, isWatch, onSilent }: LinkExchange,
  ): ClientHttp2Stream {
    const stream = this.#session.request(headers, { endStream: body === undefined });
    // An aborted request has no listener when its connection closes later.
    stream.on('error', () => {});
    if (body !== undefined) stream.end(body);
    const waiting: Waiting = { looks: 0, onSilent };
    this.#streams++;
    this.#waiting.add(waiting);
    if (isWatch) {
      this.#watches.set(stream, onSilent);
      stream.once('response', () => this.#waiting.delete(waiting));
    }
    stream.once('close', () => {
      this.#streams--;
      this.#waiting.delete(waiting);
      this.#watches.delete(stream);
    });
    this.#pulse.called();
    return stream;
  }

  endWatches(): void {
    for (const stream of this.#watches.keys()) stream.close(constants.NGHTTP2_CANCEL);
  }

  #look(): void {
    for (const waiting of this.#waiting) {
      if (++waiting.looks < looksWhenSilent || !this.#pulse.isSilent) continue;
      waiting.looks = Number.NEGATIVE_INFINITY;
      waiting.onSilent();
    }
  }

  /** Pings a server that has only watches: the pulse does not check watches, but it checks the unanswered ping. */
  #askForWatches(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead === this.#received && this.#watches.size > 0 && !this.#isPinged) this.#ping();
    this.#received = bytesRead;
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    const isAsked = this.#isPinged;
    this.#isPinged = true;
    const answered = () => {
      this.#isPinged = false;
    };
    // After GOAWAY Node sends no pings. A SETTINGS frame is acknowledged all the same; only one is sent, since few may
    // be pending.
    if (this.#session.closed) {
      if (!isAsked) this.#session.settings({}, answered);
    } else this.#session.ping(answered);
    this.#pulse.called();
  }
}

function gone(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
