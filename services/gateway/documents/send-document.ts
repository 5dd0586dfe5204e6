import type { OutgoingHttpHeaders } from 'node:http';
import type { OpenApiDocument } from '@binnacle/openapi';
import { acceptsGzip } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { type ByteRange, contentRange, multipartBody, requestedRanges } from './byte-ranges.ts';
import { preconditionVerdict, rangeFor } from './preconditions.ts';

/** Options of sending a document. */
interface SendOptions {
  readonly contentType: string;
  /** Whether the document at this address never changes, so that clients and proxies may keep it. */
  readonly immutable: boolean;
}

const oneYearMs = 365 * 24 * 60 * 60 * 1000;

/** Times at which documents were first sent, in milliseconds since 1970: a document is written when it is first asked for. */
const firstSent = new WeakMap<OpenApiDocument, number>();

/**
 * Answers with a document, with the parts of it that the client asks for, or says that the client's copy is still good. Parts are
 * never compressed.
 */
export async function sendDocument(
  exchange: Exchange,
  document: OpenApiDocument,
  options: SendOptions,
): Promise<void> {
  const { request, response } = exchange;
  const entityTag = `"${document.hash}"`;
  const lastModified = firstSentAt(document, exchange.startedAt);
  const shared: OutgoingHttpHeaders = {
    ETag: entityTag,
    Vary: 'Accept, Accept-Encoding',
    ...(options.immutable ? lastingHeaders(exchange.startedAt) : {}),
  };
  const verdict = preconditionVerdict(request.headers, { entityTag, lastModified });
  if (verdict !== 'wanted') {
    const headers = verdict === 'failed' ? { ...shared, 'Content-Length': 0 } : shared;
    response.writeHead(verdict === 'failed' ? 412 : 304, headers).end();
    return;
  }
  const header = rangeFor(request.headers, { entityTag, lastModified });
  const requested = requestedRanges(header, document.bytes.length);
  if (requested.kind !== 'ranges') return refuseRange(exchange, requested.kind, document.bytes.length);
  const headers = {
    ...shared,
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(lastModified).toUTCString(),
  };
  if (requested.ranges.length > 0)
    return sendParts(exchange, document, { ...options, headers, ranges: requested.ranges });
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

interface PartOptions {
  readonly contentType: string;
  readonly headers: OutgoingHttpHeaders;
  /** At least one. */
  readonly ranges: readonly ByteRange[];
}

function sendParts(
  exchange: Exchange,
  { bytes, hash }: OpenApiDocument,
  { contentType, headers, ranges }: PartOptions,
): void {
  const [first, ...more] = ranges;
  if (first === undefined) throw new Error('there is no part to send');
  // No document holds its own hash.
  const boundary = hash.slice(0, 60);
  const isSingle = more.length === 0;
  const body = isSingle
    ? bytes.subarray(first.start, first.end)
    : multipartBody(bytes, ranges, { boundary, contentType });
  exchange.responseBytes = body.length;
  exchange.response.writeHead(206, {
    ...headers,
    ...(isSingle && { 'Content-Range': contentRange(first, bytes.length) }),
    'Content-Type': isSingle ? contentType : `multipart/byteranges; boundary=${boundary}`,
    'Content-Length': body.length,
  });
  exchange.response.end(exchange.request.method === 'HEAD' ? undefined : body);
}

function refuseRange(exchange: Exchange, why: 'outside' | 'malformed', size: number): void {
  const text = why === 'outside' ? 'invalid range: failed to overlap\n' : 'invalid range\n';
  exchange.response.writeHead(416, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': text.length,
    ...(why === 'outside' && { 'Content-Range': `bytes */${size}` }),
  });
  exchange.response.end(exchange.request.method === 'HEAD' ? undefined : text);
}

/** The time at which a document was first sent, in whole seconds as in the header. */
function firstSentAt(document: OpenApiDocument, now: number): number {
  const known = firstSent.get(document);
  if (known !== undefined) return known;
  const lastModified = Math.floor(now / 1000) * 1000;
  firstSent.set(document, lastModified);
  return lastModified;
}

function lastingHeaders(now: number): OutgoingHttpHeaders {
  return {
    'Cache-Control': 'public, immutable',
    Expires: new Date(now + oneYearMs).toUTCString(),
  };
}
