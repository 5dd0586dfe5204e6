import type { IncomingMessage } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { PassThrough } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';

/** A request over HTTP/2. */
interface Http2Sending {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer | undefined;
}

/** One connection of HTTP/2 at a time, and a new one when the server has let go of it. */
interface Http2Requests extends Disposable {
  /** Resolves with the answer as a client of HTTP/1.1 knows it. */
  send(sending: Http2Sending): Promise<IncomingMessage>;
  readonly session: ClientHttp2Session;
}

/** Sends all requests to one address over HTTP/2. */
export function createHttp2Requests(url: string, tls: SecureContextOptions): Http2Requests {
  let session: ClientHttp2Session | undefined;
  const current = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(url, tls);
      // Each request hears of it.
      session.on('error', () => {});
    }
    return session;
  };
  return {
    get session() {
      return current();
    },
    send: sending =>
      new Promise((resolve, reject) => {
        const { method, path, headers, body } = sending;
        const asked = { ':method': method, ':path': path, ...headers };
        const stream = current().request(asked, { endStream: body === undefined });
        stream.on('error', reject);
        stream.on('response', ({ ':status': statusCode, ...answered }, _flags, raw: string[]) => {
          const rawHeaders = raw.filter((_, i) => !raw[i - (i % 2)]?.startsWith(':'));
          // Tests use the parts of a stream, and these.
          const message = Object.assign(followed(stream, `${method} ${path}`), {
            statusCode,
            headers: answered,
            rawHeaders,
          });
          resolve(message as unknown as IncomingMessage);
        });
        stream.on('close', () => reject(new Error(`${method} ${path}: refused, code ${stream.rstCode}`)));
        if (body !== undefined) stream.end(body);
      }),
    [Symbol.dispose]: () => session?.destroy(),
  };
}

/** The body of an answer from its first byte, whenever it is asked for; an answer that breaks off is an error. */
function followed(stream: ClientHttp2Stream, what: string): PassThrough {
  const body = new PassThrough();
  // Readers hear of it where they read.
  body.on('error', () => {});
  stream.pipe(body);
  stream.on('close', () => {
    if (!stream.readableEnded) body.destroy(new Error(`${what}: broken off, code ${stream.rstCode}`));
  });
  body.on('close', () => stream.close(constants.NGHTTP2_CANCEL));
  return body;
}
