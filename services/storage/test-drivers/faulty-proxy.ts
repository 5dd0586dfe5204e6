import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * The treatment of bytes by a proxy: it passes them, keeps those of one direction to itself, or holds them until they are
 * released.
 */
type ProxyMode = 'pass' | 'drop-requests' | 'drop-replies' | 'hold-requests' | 'hold-replies';

/** A TCP proxy for tests that can lose what it was given. */
export interface FaultyProxy extends AsyncDisposable {
  /** `http://host:port`. */
  readonly endpoint: string;
  mode: ProxyMode;
  /** Bytes of requests that came while requests or replies were dropped. */
  readonly requestBytes: number;
  /** Breaks all connections. */
  cut(): void;
  /** Breaks all connections of clients; what was held of their requests can still be released. */
  leave(): void;
  /** Passes on what was held, and what is to come. */
  release(): void;
}

/** Starts a proxy in front of a server at `http://host:port`, on a free port of an address. */
export async function startFaultyProxy(target: string, host = '127.0.0.1'): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const left = new Set<Socket>();
  const state = { mode: 'pass' as ProxyMode, requestBytes: 0 };
  const held: (() => void)[] = [];
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname);
    clients.add(client);
    for (const [from, to, dropped] of [
      [client, upstream, 'drop-requests'],
      [upstream, client, 'drop-replies'],
    ] as const) {
      sockets.add(from);
      from.on('data', chunk => {
        if (from === client && state.mode !== 'pass') state.requestBytes += chunk.length;
        if (state.mode === (from === upstream ? 'hold-replies' : 'hold-requests'))
          held.push(() => to.write(chunk));
        else if (state.mode !== dropped) to.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        clients.delete(from);
        if (!left.delete(from)) to.destroy();
      });
    }
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const endpoint = `http://${host}:${typeof address === 'object' ? address?.port : 0}`;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return Object.assign(state, {
    endpoint,
    cut,
    leave() {
      for (const client of clients) {
        left.add(client);
        client.destroy();
      }
    },
    release() {
      state.mode = 'pass';
      for (const pass of held.splice(0)) pass();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  });
}
