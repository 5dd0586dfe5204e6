import type { OutgoingHttpHeaders } from 'node:http';
import type { OpenApiDocument } from '@binnacle/openapi';
import { acceptsGzip } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';

/** How a document is sent. */
interface SendOptions {
  readonly contentType: string;
  /** Whether what is under this address never changes, so that clients and proxies may keep it. */
  readonly immutable: boolean;
}

const oneYearMs = 365 * 24 * 60 * 60 * 1000;

/** Answers with a document, or says that the client's copy of it is still good. */
export async function sendDocument(
  exchange: Exchange,
  document: OpenApiDocument,
  options: SendOptions,
): Promise<void> {
  const { request, response } = exchange;
  const entityTag = `"${document.hash}"`;
  const headers: OutgoingHttpHeaders = {
    ETag: entityTag,
    Vary: 'Accept, Accept-Encoding',
    ...(options.immutable ? lastingHeaders(exchange.startedAt) : {}),
  };
  if (hasCopy(request.headers['if-none-match'], entityTag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const compressed = acceptsGzip(request.headers['accept-encoding']);
  const body = compressed ? await document.gzipped() : document.bytes;
  if (response.destroyed) return;
  exchange.responseBytes = document.bytes.length;
  response.writeHead(200, {
    ...headers,
    'Content-Type': options.contentType,
    'Content-Length': body.length,
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function lastingHeaders(now: number): OutgoingHttpHeaders {
  return {
    'Cache-Control': 'public, immutable',
    Expires: new Date(now + oneYearMs).toUTCString(),
  };
}

function hasCopy(header: string | undefined, entityTag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes(entityTag) || tags.includes('*');
}
