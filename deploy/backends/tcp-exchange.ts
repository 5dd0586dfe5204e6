import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readServerTls, type ServerTls } from './server-tls.ts';

/** One request over a connection of its own. */
interface TcpExchange {
  readonly port: number;
  readonly request: Uint8Array;
  /** Says whether the bytes received are the whole answer. */
  isComplete(received: Buffer): boolean;
  readonly signal: AbortSignal;
  /** Makes the connection TLS, with the server's own certificate as that of the client. */
  readonly tls?: ServerTls;
}

/** Connects to a port of 127.0.0.1, sends the request and resolves with the answer's bytes. */
export function exchangeBytes(exchange: TcpExchange): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const address = { port: exchange.port, host: '127.0.0.1', signal: exchange.signal };
    const { tls } = exchange;
    const socket = tls === undefined ? connect(address) : connectTls({ ...address, ...readServerTls(tls) });
    socket.on(tls === undefined ? 'connect' : 'secureConnect', () => socket.write(exchange.request));
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      if (!exchange.isComplete(received)) return;
      socket.destroy();
      resolve(received);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed before the answer was complete')));
  });
}
