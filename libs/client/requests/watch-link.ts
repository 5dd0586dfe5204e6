import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';

/** A connection of HTTP/2 that watches share. */
export interface WatchLink {
  /** Whether one more watch can begin now: there is room for it, and the server has not said that it goes away. */
  readonly hasRoom: boolean;
  readonly isOpen: boolean;
  /** Begins a request without a body; it takes its place at once. */
  request(headers: Readonly<Record<string, string>>): ClientHttp2Stream;
}

/** How such a connection is made and kept. */
interface WatchLinkOptions {
  readonly server: URL;
  readonly tls: ConnectionOptions;
  /** Milliseconds until a connection that does not come about is given up. */
  readonly connectTimeoutMs: number;
  /** Milliseconds between two questions whether the server is still there, and for each answer. */
  readonly pingMs: number;
  /** Ends the connection, or the attempt. */
  readonly signal: AbortSignal;
}

/** Windows as wide as those of Go's client: a watch that is read slowly holds up no other. */
const streamWindowBytes = 4 * 1024 * 1024;
const connectionWindowBytes = 2 ** 30;

/**
 * Connects to a server. Resolves with `undefined` where HTTP/2 is not spoken, and rejects when no connection comes about.
 * It ends, with the watches on it, when a server does not answer a ping: its machine may have gone without a word.
 */
export async function openWatchLink(options: WatchLinkOptions): Promise<WatchLink | undefined> {
  options.signal.throwIfAborted();
  const { promise: opened, resolve, reject } = Promise.withResolvers<WatchLink | undefined>();
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
    // How many watches there is room for is known then.
    session.once('remoteSettings', () => {
      clearTimeout(late);
      resolve(linkOver(session));
    });
  });
  return opened;
}

function connectSocket({ server, tls }: WatchLinkOptions): TLSSocket {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  return connectTls({
    host,
    port: Number(server.port || 443),
    servername: isIP(host) ? '' : host,
    ...tls,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
}

function startSession(socket: TLSSocket, { server, pingMs }: WatchLinkOptions): ClientHttp2Session {
  const session = connect(server, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: streamWindowBytes },
  });
  // Each watch on it hears of it.
  session.on('error', () => {});
  session.once('connect', () => session.setLocalWindowSize(connectionWindowBytes));
  let answered = true;
  const asking = setInterval(() => {
    if (session.destroyed) return;
    if (!answered) session.destroy(gone(`no answer to a ping within ${pingMs} ms`));
    else answered = !session.ping(error => (answered = error === null));
  }, pingMs);
  session.once('close', () => clearInterval(asking));
  return session;
}

function gone(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

function linkOver(session: ClientHttp2Session): WatchLink {
  let watches = 0;
  return {
    get isOpen() {
      return !session.closed && !session.destroyed;
    },
    get hasRoom() {
      const { maxConcurrentStreams: most = Number.POSITIVE_INFINITY } = session.remoteSettings;
      // A server that allows none at the moment lets the first one wait.
      return this.isOpen && watches < Math.max(1, most);
    },
    request(headers) {
      const stream = session.request(headers, { endStream: true });
      watches++;
      stream.once('close', () => watches--);
      return stream;
    },
  };
}
