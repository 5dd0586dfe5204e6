import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { Exchange } from '../pipeline/exchange.ts';
import { warningHeaders } from './warning-headers.ts';

/** What is sent. */
export interface ResponseContent {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** A body that is sent piece by piece. */
export interface ChunkedContent {
  readonly code: number;
  readonly contentType: string;
  readonly chunks: readonly Buffer[];
}

/** Bodies from this size on are compressed for clients that take it. */
const compressFromBytes = 128 * 1024;
/** Fastest of zlib's levels that is worth its bytes. */
const compressionLevel = 1;

/** Sends a whole body; without effect when an answer is on its way already. */
export async function writeResponse(exchange: Exchange, content: ResponseContent): Promise<void> {
  await writeChunks(exchange, {
    code: content.code,
    contentType: content.contentType,
    chunks: [content.body],
  });
}

/**
 * Sends a body in pieces, waiting for a slow client after each; compressed when it is large and the client takes
 * gzip. Without effect when an answer is on its way already; ends quietly when the client goes away.
 */
export async function writeChunks(exchange: Exchange, content: ChunkedContent): Promise<void> {
  const { response, request } = exchange;
  if (response.headersSent || response.destroyed) return;
  const size = content.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  exchange.responseBytes = size;
  const headers: OutgoingHttpHeaders = { 'Content-Type': content.contentType };
  if (exchange.warnings.length > 0) headers['Warning'] = warningHeaders(exchange.warnings);
  if (size >= compressFromBytes && acceptsGzip(request.headers['accept-encoding'])) {
    response.writeHead(content.code, { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    await compress(response, content.chunks);
    return;
  }
  headers['Content-Length'] = size;
  response.writeHead(content.code, headers);
  if (request.method === 'HEAD') response.end();
  else await sendAll(response, content.chunks);
}

async function sendAll(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  for (const [index, chunk] of chunks.entries()) {
    if (index === chunks.length - 1) response.end(chunk);
    else if (!response.write(chunk)) await drained(response);
    if (response.destroyed) return;
  }
  if (chunks.length === 0) response.end();
}

async function compress(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  const gzip = createGzip({ level: compressionLevel });
  gzip.on('error', () => response.destroy());
  response.once('close', () => gzip.destroy());
  gzip.pipe(response);
  for (const chunk of chunks) {
    if (!gzip.write(chunk)) await drained(gzip);
    if (gzip.destroyed) return;
  }
  gzip.end();
}

/** Resolves when a stream takes more, or is closed. */
function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise(resolve => {
    const settle = () => {
      stream.off('drain', settle).off('close', settle);
      resolve();
    };
    stream.on('drain', settle).on('close', settle);
  });
}

/** Whether an `Accept-Encoding` header takes gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|[\s,])gzip\s*(,|;\s*q=(1|0\.[0-9]*[1-9])|$)/.test(String(header ?? ''));
}
