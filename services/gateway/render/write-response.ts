import { createGzip, type Gzip } from 'node:zlib';
import { sharedSlices } from '@binnacle/event-loop';
import type { Exchange } from '../request/exchange.ts';
import type { PieceWriter } from './piecewise.ts';
import { warningHeaders } from './warning-headers.ts';

/** The content of a response. */
interface ResponseContent {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The head of a response whose body is sent in pieces. */
interface ResponseHead {
  readonly code: number;
  readonly contentType: string;
}

/** A body of known size that is rendered while it is sent. */
interface ChunkedContent extends ResponseHead {
  /** Bytes of all chunks together. */
  readonly size: number;
  /** Each chunk holds until the next one is asked for, the last one for good: nothing waits until it has gone out. */
  readonly chunks: Iterable<Buffer>;
}

/** Bodies from this size on are compressed for clients that take it. */
const compressFromBytes = 128 * 1024;
/** Fastest of zlib's levels that is worth its bytes. */
const compressionLevel = 1;

/** Sends a whole body; without effect when an answer is on its way already. */
export function writeResponse(exchange: Exchange, content: ResponseContent): void | Promise<void> {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const { body } = content;
  exchange.responseBytes = body.length;
  if (body.length >= compressFromBytes && clientAcceptsGzip(exchange)) {
    startCompressed(exchange, content);
    return compress(exchange, gzip => writeAll(exchange, gzip, [body]));
  }
  writeHead(exchange, content, body.length);
  if (exchange.request.method === 'HEAD') response.end();
  else response.end(body);
}

/**
 * Sends a body in pieces, each after the system has taken the one before; compressed when it is large and the client
 * takes gzip. Without effect when an answer is on its way already; ends quietly when the client goes away.
 */
export async function writeChunks(exchange: Exchange, content: ChunkedContent): Promise<void> {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const { size } = content;
  exchange.responseBytes = size;
  if (size >= compressFromBytes && clientAcceptsGzip(exchange)) {
    startCompressed(exchange, content);
    await compress(exchange, gzip => writeAll(exchange, gzip, content.chunks));
    return;
  }
  writeHead(exchange, content, size);
  if (exchange.request.method === 'HEAD') response.end();
  else await sendAll(exchange, content);
}

/**
 * Sends a body whose size is known when it has been made: with its size when it fits into one chunk, else chunk by
 * chunk as they are made. After an error behind the first chunk the caller must break off the response.
 */
export async function writePieces(
  exchange: Exchange,
  head: ResponseHead,
  pieces: PieceWriter,
): Promise<void> {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const first = await pieces.next();
  if (pieces.isDone) {
    // A copy: the client may take it after the buffer has been lent to another answer.
    await writeResponse(exchange, { ...head, body: Buffer.from(first) });
    return;
  }
  const write = async (stream: NodeJS.WritableStream & { destroyed: boolean }): Promise<void> => {
    for (let chunk = first; ; chunk = await pieces.next()) {
      exchange.responseBytes += chunk.length;
      if (chunk.length > 0) await exchange.place.whileClientTakes(written(stream, chunk));
      if (pieces.isDone || stream.destroyed) return;
    }
  };
  if (clientAcceptsGzip(exchange)) {
    startCompressed(exchange, head);
    await compress(exchange, write);
    return;
  }
  writeHead(exchange, head);
  if (exchange.request.method !== 'HEAD') await write(response);
  response.end();
}

function writeHead(
  { response, headers, warnings }: Exchange,
  { code, contentType }: ResponseHead,
  size?: number,
): void {
  headers.push('Content-Type', contentType);
  if (warnings.length > 0) for (const warning of warningHeaders(warnings)) headers.push('Warning', warning);
  if (size !== undefined) headers.push('Content-Length', String(size));
  response.writeHead(code, headers);
}

function clientAcceptsGzip({ request }: Exchange): boolean {
  return acceptsGzip(request.headers['accept-encoding']);
}

function startCompressed(exchange: Exchange, head: ResponseHead): void {
  const { response } = exchange;
  response.appendHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Encoding', 'gzip');
  writeHead(exchange, head);
}

async function sendAll(exchange: Exchange, { chunks, size }: ChunkedContent): Promise<void> {
  const { response } = exchange;
  let sent = 0;
  for (const chunk of chunks) {
    sent += chunk.length;
    if (sent === size) response.end(chunk);
    else await exchange.place.whileClientTakes(written(response, chunk));
    if (response.destroyed) return;
    // A client that reads as fast as this writes leaves no pause by itself.
    if (sent < size && sharedSlices.isOver()) await sharedSlices.yield(exchange.call.signal);
  }
  if (size === 0) response.end();
}

async function writeAll(exchange: Exchange, gzip: Gzip, chunks: Iterable<Buffer>): Promise<void> {
  for (const chunk of chunks) {
    await exchange.place.whileClientTakes(written(gzip, chunk));
    if (gzip.destroyed) return;
    if (sharedSlices.isOver()) await sharedSlices.yield(exchange.call.signal);
  }
}

async function compress(exchange: Exchange, write: (gzip: Gzip) => Promise<void>): Promise<void> {
  const { response } = exchange;
  const gzip = createGzip({ level: compressionLevel });
  gzip.on('error', () => response.destroy());
  response.once('close', () => gzip.destroy());
  gzip.pipe(response);
  await write(gzip);
  if (!gzip.destroyed) gzip.end();
}

/** Writes bytes; resolves when they are not needed any more, because the stream has passed them on or is closed. */
function written(stream: NodeJS.WritableStream, chunk: Buffer): Promise<void> {
  return new Promise(resolve => {
    const settle = () => {
      stream.off('close', settle);
      resolve();
    };
    stream.on('close', settle);
    stream.write(chunk, settle);
  });
}

/** Whether an `Accept-Encoding` header accepts gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|[\s,])gzip\s*(,|;\s*q=(1|0\.[0-9]*[1-9])|$)/.test(String(header ?? ''));
}
