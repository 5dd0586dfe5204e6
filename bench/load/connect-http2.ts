import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { Readable } from 'node:stream';
import type { LoadTarget } from './protocol.ts';

/** The connections over which the watches of a load are opened. */
export interface WatchConnections {
  /** Resolves with the events of a watch, once the server has answered. */
  open(path: string, index: number): Promise<Readable>;
  close(): void;
}

/** Windows as wide as those of Go's client, so that the server never waits for one. */
const streamWindowBytes = 4 * 1024 * 1024;
const connectionWindowBytes = 2 ** 30;

/** Opens watches over a number of connections of HTTP/2, in turn. */
export function connectHttp2(target: LoadTarget, connections: number): WatchConnections {
  const read = (file: string | undefined): Buffer | undefined => (file ? readFileSync(file) : undefined);
  const tls = { ca: read(target.caFile), cert: read(target.certFile), key: read(target.keyFile) };
  const sessions = Array.from({ length: connections }, () => {
    const session = connect(target.server, { ...tls, settings: { initialWindowSize: streamWindowBytes } });
    session.on('connect', () => session.setLocalWindowSize(connectionWindowBytes));
    // It is an error of each request, too.
    session.on('error', () => {});
    return session;
  });
  return {
    open(path, index) {
      const session = sessions[index % connections];
      if (session === undefined) throw new Error('there are no connections');
      return openWatch(session, path);
    },
    close() {
      for (const session of sessions) session.destroy();
    },
  };
}

function openWatch(session: ClientHttp2Session, path: string): ReturnType<WatchConnections['open']> {
  const headers = { ':path': path, accept: 'application/json', 'user-agent': 'binnacle-bench' };
  const stream = session.request(headers);
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('close', () => reject(new Error('a watch ended without an answer')));
    stream.on('response', ({ ':status': status }) => {
      if (status === 200) resolve(stream);
      else reject(new Error(`a watch was answered with ${status}`));
    });
  });
}
