/**
 * A stranger on the network of a backend, in a container of its own: `ask.ts HOST PORT HEX [CERTIFICATES]` sends
 * bytes, over TLS where a folder with tls.crt and tls.key or the word `none` is given, and prints what comes back.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

const [host = '', port = '', hex = '', certificates] = process.argv.slice(2);
const address = { host, port: Number(port) };
const identity =
  certificates === undefined || certificates === 'none'
    ? {}
    : { cert: readFileSync(`${certificates}/tls.crt`), key: readFileSync(`${certificates}/tls.key`) };
const socket =
  certificates === undefined
    ? connect(address)
    : connectTls({ ...address, ...identity, rejectUnauthorized: false });

let answer = '';
const end = (why: string): void => {
  process.stdout.write(`${JSON.stringify({ why, answer })}\n`);
  process.exit(0);
};
socket.setTimeout(4_000, () => end('silence'));
socket.on(certificates === undefined ? 'connect' : 'secureConnect', () => {
  socket.write(Buffer.from(hex, 'hex'));
});
socket.on('data', data => {
  answer += data.toString('latin1');
});
socket.on('error', error => end((error as NodeJS.ErrnoException).code ?? error.message));
socket.on('close', () => end('closed'));
