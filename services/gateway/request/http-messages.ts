import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** A request on its way through the pipeline, over HTTP/1.1 or HTTP/2; requests of Node and express have this shape. */
export interface HttpRequest extends Readable {
  headers: IncomingHttpHeaders;
  /** Each value of a header that was sent more than once. */
  readonly headersDistinct: NodeJS.Dict<string[]>;
  /** Names and values in turn, as they were sent. */
  rawHeaders: string[];
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  /** The connection; several requests at a time share one of HTTP/2. */
  readonly socket: Socket;
  /** Whether all of it is there, or nothing more comes. */
  readonly complete: boolean;
}

/** The response to a request, over HTTP/1.1 or HTTP/2. Destroying it before its end breaks off the answer. */
export interface HttpResponse extends Writable {
  statusCode: number;
  /** The reason phrase; without effect in HTTP/2, which has none. */
  statusMessage: string;
  readonly headersSent: boolean;
  /** False: the connection closes after the answer; without effect in HTTP/2, where a request does not hold up others. */
  shouldKeepAlive: boolean;
  /** The connection, where it is the response's own. */
  readonly socket: Socket | null;
  /** The outlet for frames of a watch, which bypass the response itself; undefined in HTTP/1.1. */
  readonly outlet?: FrameOutlet | undefined;
  setHeader(name: string, value: number | string | readonly string[]): this;
  appendHeader(name: string, value: string | readonly string[]): this;
  /** Sends the head. A list has names and values in turn, and may name a header several times. */
  writeHead(code: number, headers?: OutgoingHttpHeaders | string[]): this;
  flushHeaders(): void;
}

/** The outlet for the frames of a watch: a socket, or a stream of HTTP/2. */
export interface FrameOutlet {
  readonly writable: boolean;
  /** Bytes that wait for the client. */
  readonly writableLength: number;
  write(frames: Buffer): unknown;
  /** Breaks off. */
  destroy(): unknown;
}

/** Whether a request brings a body: over HTTP/1.1 it says so in a header, over HTTP/2 by not ending with its headers. */
export function announcesBody({ headers, httpVersionMajor, complete }: HttpRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length !== undefined) return Number(length) > 0;
  return encoding !== undefined || (httpVersionMajor === 2 && !complete);
}
