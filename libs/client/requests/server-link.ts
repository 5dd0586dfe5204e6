import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { lookMs, Pulse } from '@binnacle/event-loop';

/** A connection of HTTP/2 to a server, which requests and watches share. */
export interface ServerLink {
  readonly isOpen: boolean;
  /** Whether one more request can begin now: there is room for it, and the server has not said that it goes away. */
  readonly hasRoom: boolean;
  /** Whether requests wait for the server and it has given no sign for 250 ms, not even to a ping. */
  readonly isSilent: boolean;
  /** Begins a request; it takes its place at once. */
  request(headers: Readonly<Record<string, string>>, exchange: LinkExchange): ClientHttp2Stream;
  /** Ends the watches alone. */
  endWatches(): void;
}

/** A request on a link. */
export interface LinkExchange {
  readonly body?: Buffer | undefined;
  /** Whether the answer is a watch, in which nothing may come for long. */
  readonly isWatch: boolean;
  /** Called when the request has waited for half a second and the server is silent; of a watch also when its connection is given up. */
  onSilent(): void;
}

/** How such a connection is made and kept. */
interface ServerLinkOptions {
  readonly server: URL;
  readonly tls: ConnectionOptions;
  /** Milliseconds until a connection that does not come about is given up. */
  readonly connectTimeoutMs: number;
  /** Milliseconds in which nothing comes after which a server with watches is asked whether it is still there. */
  readonly pingMs: number;
  /** Milliseconds in which nothing comes though something waits after which the connection is given up. */
  readonly longSilenceMs: number;
  /** Ends the connection, or the attempt. */
  readonly signal: AbortSignal;
}

/** Windows as wide as those of Go's client: an answer that is read slowly holds up no other. */
const streamWindowBytes = 4 * 1024 * 1024;
const connectionWindowBytes = 2 ** 30;

/** Looks that a request waits at a server that is silent. */
const looksWhenSilent = 500 / lookMs;

/**
 * Connects to a server. Resolves with `undefined` where HTTP/2 is not spoken, and rejects when no connection comes about.
 * It ends, with all that is on it, when a server gives no sign for `longSilenceMs`: it may be frozen, or its machine gone without a word.
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
    // How many requests there is room for is known then.
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
  // Each request on it hears of it.
  session.on('error', () => {});
  session.once('connect', () => session.setLocalWindowSize(connectionWindowBytes));
  return session;
}

/** A request that the server owes a sign. */
interface Waiting {
  looks: number;
  readonly onSilent: () => void;
}

class Http2Link implements ServerLink {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #pulse: Pulse;
  readonly #waiting = new Set<Waiting>();
  /** The watches with what their requests hear of silence. */
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
        session.destroy(gone(`nothing came for ${longSilenceMs} ms`));
      },
      longSilenceMs,
      received: () => socket.bytesRead,
    });
    // Every server of HTTP/2 answers pings.
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
    // A server that allows none at the moment lets the first one wait.
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
    // An aborted request has no listener any more when its connection is given up.
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

  /** Watches alone make no calls that are looked at: the ping is one, until it is answered. */
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
    // Node sends no ping once the server has said that it goes away. Settings are acknowledged all the same, and few may wait for it.
    if (this.#session.closed) {
      if (!isAsked) this.#session.settings({}, answered);
    } else this.#session.ping(answered);
    this.#pulse.called();
  }
}

function gone(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
