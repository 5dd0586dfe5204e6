import type { IncomingHttpHeaders } from 'node:http';
import type { IncomingHttpHeaders as IncomingHttp2Headers, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { HttpRequest } from '../../request/http-messages.ts';

/** The headers of a request as they came over HTTP/2. */
interface Http2RequestHead {
  readonly headers: IncomingHttp2Headers;
  readonly rawHeaders: readonly string[];
  /** Whether the request ends with its headers. */
  readonly isWhole: boolean;
}

/**
 * A request that came over a stream of HTTP/2. Its body is read when it is asked for, so that the client sends no more than
 * one window ahead.
 */
export class Http2Request extends Readable implements HttpRequest {
  readonly httpVersion = '2.0';
  readonly httpVersionMajor = 2;
  readonly httpVersionMinor = 0;
  readonly method: string;
  readonly url: string;
  readonly socket: Socket;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  readonly #stream: ServerHttp2Stream;
  #isReceived: boolean;
  #isRead = false;
  #taken = 0;

  constructor(stream: ServerHttp2Stream, head: Http2RequestHead, socket: Socket) {
    super();
    this.#stream = stream;
    this.socket = socket;
    this.method = head.headers[':method'] ?? '';
    this.url = head.headers[':path'] ?? '/';
    this.headers = plainHeaders(head.headers);
    this.rawHeaders = plainRawHeaders(head.rawHeaders);
    // A request starts at the end of the turn in which it came: a body of no bytes may have ended by then.
    this.#isReceived = head.isWhole || stream.readableEnded;
    // A failure shows in the end of the stream.
    this.on('error', () => {});
    if (this.#isReceived) this.push(null);
    else stream.once('end', () => this.#end()).once('close', () => this.destroy());
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    const distinct: NodeJS.Dict<string[]> = Object.create(null);
    for (let i = 0; i + 1 < this.rawHeaders.length; i += 2) {
      const name = (this.rawHeaders[i] ?? '').toLowerCase();
      const values = distinct[name] ?? [];
      values.push(this.rawHeaders[i + 1] ?? '');
      distinct[name] = values;
    }
    return distinct;
  }

  get complete(): boolean {
    return this.#isReceived || this.#stream.destroyed || this.#stream.closed;
  }

  /** Whether nothing more of it comes, though what came may not have been read. */
  get hasArrived(): boolean {
    return this.complete || this.#stream.state.remoteClose === 1;
  }

  /** Bytes of the body that have come. */
  get receivedBytes(): number {
    return this.#taken + this.#stream.readableLength;
  }

  /** Bytes of the body that have come and were not taken yet. */
  get untakenBytes(): number {
    return this.readableLength + this.#stream.readableLength;
  }

  override _read(): void {
    if (this.#isReceived) return;
    if (!this.#isRead) {
      this.#isRead = true;
      this.#stream.on('data', (chunk: Buffer) => this.#take(chunk));
    } else {
      this.#stream.resume();
    }
  }

  #take(chunk: Buffer): void {
    this.#taken += chunk.length;
    // After a refusal the rest is thrown away.
    if (!this.destroyed && !this.push(chunk)) this.#stream.pause();
  }

  #end(): void {
    this.#isReceived = true;
    if (!this.destroyed) this.push(null);
  }
}

/** Without pseudo headers; the authority stands where HTTP/1.1 has it. */
function plainHeaders(headers: IncomingHttp2Headers): IncomingHttpHeaders {
  const plain: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) if (!name.startsWith(':')) plain[name] = value;
  const authority = headers[':authority'];
  if (authority !== undefined) plain.host ??= authority;
  return plain;
}

function plainRawHeaders(rawHeaders: readonly string[]): string[] {
  const plain: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]];
    if (!name.startsWith(':')) plain.push(name, value);
  }
  return plain;
}
