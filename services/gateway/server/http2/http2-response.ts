import type { OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import type { HttpResponse } from '../../request/http-messages.ts';
import type { ServedStream, Written } from './served-stream.ts';

/** Headers of a connection of HTTP/1.1; HTTP/2 forbids them. */
const connectionHeaders = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Bytes that are handed to the stream at a time. The stream tells of bytes that have gone out only when all that was
 * written at once has, and a client that takes a large answer slowly must differ from one that takes nothing: this
 * much counts as progress.
 */
const sliceBytes = 16 * 1024;

/** The response to a request over HTTP/2, as the pipeline knows responses. */
export class Http2Response extends Writable implements HttpResponse {
  statusCode = 200;
  statusMessage = '';
  shouldKeepAlive = true;
  readonly socket = null;
  readonly outlet: ServedStream;
  readonly #headers: OutgoingHttpHeaders = {};
  #headersSent = false;
  #last: unknown;

  constructor(outlet: ServedStream) {
    super({ decodeStrings: true });
    this.outlet = outlet;
    // A failure shows in the end of the stream.
    this.on('error', () => {});
  }

  get headersSent(): boolean {
    return this.#headersSent;
  }

  setHeader(name: string, value: number | string | readonly string[]): this {
    this.#headers[name.toLowerCase()] = typeof value === 'object' ? [...value] : value;
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.#headers[name.toLowerCase()];
    if (before === undefined) return this.setHeader(name, value);
    return this.setHeader(name, [before, value].flat().map(String));
  }

  writeHead(code: number, headers: OutgoingHttpHeaders | readonly string[] = {}): this {
    this.statusCode = code;
    if (Array.isArray(headers)) this.#replaceHeaders(headers);
    else
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined) this.setHeader(name, value);
    this.flushHeaders();
    return this;
  }

  /** Names and values in turn, in place of those that were set, as Node does it in HTTP/1.1. */
  #replaceHeaders(list: readonly string[]): void {
    for (let at = 0; at < list.length; at += 2) delete this.#headers[list[at]!.toLowerCase()];
    for (let at = 0; at < list.length; at += 2) this.appendHeader(list[at]!, list[at + 1]!);
  }

  flushHeaders(): void {
    if (this.#headersSent) return;
    this.#headersSent = true;
    const sent = Object.entries(this.#headers).filter(([name]) => !connectionHeaders.has(name));
    this.outlet.respond({ ':status': this.statusCode, ...Object.fromEntries(sent) });
  }

  // Only the last of the overloads; the others come down to it.
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (chunk instanceof Uint8Array) this.#last = chunk;
    // Writable itself tells the overloads apart.
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Written): void {
    this.flushHeaders();
    this.#writeSlices(chunk, 0, callback);
  }

  override _final(callback: Written): void {
    this.flushHeaders();
    this.outlet.end(undefined, error => {
      this.outlet.finished();
      callback(error);
    });
  }

  override _destroy(error: Error | null, callback: Written): void {
    if (!this.writableFinished) this.outlet.abandon();
    callback(error);
  }

  /** The end goes with the last bytes, in one frame. */
  #writeSlices(chunk: Buffer, start: number, callback: Written): void {
    const end = start + sliceBytes;
    const isLast = end >= chunk.length;
    const slice = start === 0 && isLast ? chunk : chunk.subarray(start, end);
    const goOn: Written = error => (error ? callback(error) : this.#writeSlices(chunk, end, callback));
    if (!isLast) this.outlet.write(slice, goOn);
    else if (chunk === this.#last) this.outlet.end(slice, callback);
    else this.outlet.write(slice, callback);
  }
}
