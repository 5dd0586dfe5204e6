import type { OutgoingHttpHeaders } from 'node:http';
import { createGzip } from 'node:zlib';
import type { Exchange } from '../pipeline/exchange.ts';
import { warningHeaders } from './warning-headers.ts';

/** What is sent. */
export interface ResponseContent {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** A body that is rendered while it is sent. */
export interface ChunkedContent {
  readonly code: number;
  readonly contentType: string;
  /** Bytes of all chunks together. */
  readonly size: number;
  /** Each chunk holds until the next one is asked for. */
  readonly chunks: Iterable<Buffer>;
}

/** Bodies from this size on are compressed for clients that take it. */
const compressFromBytes = 128 * 1024;
/** Fastest of zlib's levels that is worth its bytes. */
const compressionLevel = 1;

/** Sends a whole body; without effect when an answer is on its way already. */
export async function writeResponse(exchange: Exchange, content: ResponseContent): Promise<void> {
  const { code, contentType, body } = content;
  await writeChunks(exchange, { code, contentType, size: body.length, chunks: [body] });
}

/**
 * Sends a body in pieces, each after the one before is with the system; compressed when it is large and the client
 * takes gzip. Without effect when an answer is on its way already; ends quietly when the client goes away.
 */
export async function writeChunks(exchange: Exchange, content: ChunkedContent): Promise<void> {
  const { response, request } = exchange;
  if (response.headersSent || response.destroyed) return;
  const { size, chunks } = content;
  exchange.responseBytes = size;
  const headers: OutgoingHttpHeaders = { 'Content-Type': content.contentType };
  if (exchange.warnings.length > 0) headers['Warning'] = warningHeaders(exchange.warnings);
  if (size >= compressFromBytes && acceptsGzip(request.headers['accept-encoding'])) {
    response.appendHeader('Vary', 'Accept-Encoding');
    response.writeHead(content.code, { ...headers, 'Content-Encoding': 'gzip' });
    await compress(exchange, chunks);
    return;
  }
  headers['Content-Length'] = size;
  response.writeHead(content.code, headers);
  if (request.method === 'HEAD') response.end();
  else await sendAll(exchange, chunks, size);
}

async function sendAll(exchange: Exchange, chunks: Iterable<Buffer>, size: number): Promise<void> {
  const { response } = exchange;
  let sent = 0;
  for (const chunk of chunks) {
    sent += chunk.length;
    if (sent === size) response.end(chunk);
    else await exchange.whileClientTakes(written(response, chunk));
    if (response.destroyed) return;
  }
  if (size === 0) response.end();
}

async function compress(exchange: Exchange, chunks: Iterable<Buffer>): Promise<void> {
  const { response } = exchange;
  const gzip = createGzip({ level: compressionLevel });
  gzip.on('error', () => response.destroy());
  response.once('close', () => gzip.destroy());
  gzip.pipe(response);
  for (const chunk of chunks) {
    await exchange.whileClientTakes(written(gzip, chunk));
    if (gzip.destroyed) return;
  }
  gzip.end();
}

/** Writes, and resolves when the bytes are needed no more: they have gone on, or the stream is closed. */
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

/** Whether an `Accept-Encoding` header takes gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|[\s,])gzip\s*(,|;\s*q=(1|0\.[0-9]*[1-9])|$)/.test(String(header ?? ''));
}
