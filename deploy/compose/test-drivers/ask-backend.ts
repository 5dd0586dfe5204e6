import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** One question to a server on 127.0.0.1, over a connection of its own. */
export interface BackendQuestion {
  readonly port: number;
  readonly text: string;
  /** PEM files of a TLS connection; undefined: plaintext. */
  readonly tls?: { readonly caFile: string; readonly certFile?: string; readonly keyFile?: string };
}

/** Milliseconds after which a server that says nothing is not waited for any longer. */
const silenceMs = 3000;

/** Answers the first bytes of the server; empty when it ends the connection, or is silent. */
export function askBackend({ port, text, tls }: BackendQuestion): Promise<string> {
  return new Promise(resolve => {
    const socket = tls === undefined ? connect(port, '127.0.0.1') : connectTls(tlsOptions(port, tls));
    const end = (answer: string): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(silenceMs, () => end(''));
    socket.on(tls === undefined ? 'connect' : 'secureConnect', () => socket.write(text));
    socket.on('data', data => end(data.toString('latin1')));
    socket.on('error', () => end(''));
    socket.on('close', () => end(''));
  });
}

function tlsOptions(port: number, { caFile, certFile, keyFile }: NonNullable<BackendQuestion['tls']>) {
  return {
    port,
    host: '127.0.0.1',
    ca: readFileSync(caFile),
    ...(certFile === undefined ? {} : { cert: readFileSync(certFile) }),
    ...(keyFile === undefined ? {} : { key: readFileSync(keyFile) }),
  };
}
