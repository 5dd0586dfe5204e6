import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayTurns } from './ready-gateways.ts';

/** The gateways of a client, their authority and the user of its requests. */
export interface LoadServer {
  readonly gateways: Pick<GatewayTurns, 'next'>;
  /** PEM. */
  readonly ca: string;
  /** Bearer token. */
  readonly token: string;
}

/** A request of the load. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Media type of the body; JSON by default. */
  readonly type?: string;
}

/** The head of an answer, and the stream that brings its body. */
export interface BegunAnswer {
  readonly code: number;
  /** Milliseconds after which the client may ask once more. */
  readonly retryAfterMs: number;
  readonly stream: ClientHttp2Stream;
}

/** A complete answer. */
export interface LoadAnswer extends Omit<BegunAnswer, 'stream'> {
  readonly text: string;
}

/** Windows as wide as those of Go's client, so that the server never waits for one. */
const streamWindowBytes = 4 * 1024 * 1024;
const connectionWindowBytes = 2 ** 30;
/** As Go's client: a request that was not processed is sent six more times, the first time at once. */
const mostResends = 6;
const firstPauseMs = 100;

/**
 * A client with one connection of HTTP/2 at a time, as programs in Go have it: after a GOAWAY later requests open the next one, while
 * those under way go on. A request that the server certainly did not process (it never left, or the server says so by
 * GOAWAY or REFUSED_STREAM) is sent again; every other end without an answer is an error. It retries no answer.
 */
export class LoadClient implements Disposable {
  readonly #server: LoadServer;
  readonly #sessions = new Set<ClientHttp2Session>();
  #current: ClientHttp2Session | undefined;
  #resent = 0;

  constructor(server: LoadServer) {
    this.#server = server;
  }

  /** Requests that were sent again because they were not processed. */
  get resent(): number {
    return this.#resent;
  }

  async request(request: LoadRequest): Promise<LoadAnswer> {
    const { stream, ...head } = await this.begin(request);
    let text = '';
    stream.setEncoding('utf8').on('data', part => {
      text += part;
    });
    const error = await streamEnd(stream);
    if (error !== undefined) throw new Error(`broken off: ${error}`);
    return { ...head, text };
  }

  /** Sends a request and resolves with the head of its answer. The caller reads its stream at once. */
  async begin(request: LoadRequest): Promise<BegunAnswer> {
    for (let resends = 0; ; resends++) {
      if (resends > 1) await pause(firstPauseMs * 2 ** (resends - 2));
      const begun = await this.#attempt(request);
      if (begun !== undefined) return begun;
      if (resends === mostResends) throw new Error('no server takes the request');
      this.#resent++;
    }
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }

  /** Undefined: the request was not processed. */
  #attempt({ method, path, body, type = 'application/json' }: LoadRequest): Promise<BegunAnswer | undefined> {
    const bytes = body && Buffer.from(JSON.stringify(body));
    const headers = {
      ':method': method,
      ':path': path,
      accept: 'application/json',
      authorization: `Bearer ${this.#server.token}`,
      'user-agent': 'rolling',
      ...(bytes && { 'content-type': type, 'content-length': bytes.length }),
    };
    const session = this.#openSession();
    if (session === undefined) return Promise.resolve(undefined);
    const stream = session.request(headers, { endStream: bytes === undefined });
    let problem: string | undefined;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      problem = error.code;
    });
    const begun = new Promise<BegunAnswer | undefined>((resolve, reject) => {
      stream.once('response', ({ ':status': code = 0, 'retry-after': seconds }) =>
        resolve({ code, retryAfterMs: Number(seconds ?? 0) * 1000, stream }),
      );
      stream.once('close', () => {
        const isUnprocessed = stream.id === undefined || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
        if (isUnprocessed) resolve(undefined);
        else reject(new Error(`no answer: ${problem ?? `code ${stream.rstCode}`}`));
      });
    });
    if (bytes !== undefined) stream.end(bytes);
    return begun;
  }

  /** Undefined: no gateway is ready. */
  #openSession(): ClientHttp2Session | undefined {
    // Node closes a session when GOAWAY comes: it takes no requests then.
    if (this.#current?.closed === false && !this.#current.destroyed) return this.#current;
    const { gateways, ca } = this.#server;
    const address = gateways.next();
    if (address === undefined) return undefined;
    const session = connect(address, { ca, settings: { initialWindowSize: streamWindowBytes } });
    session.once('connect', () => session.setLocalWindowSize(connectionWindowBytes));
    // It is an error of each request, too.
    session.on('error', () => {});
    session.once('close', () => this.#sessions.delete(session));
    this.#sessions.add(session);
    this.#current = session;
    return session;
  }
}

/** Waits for the end of an answer whose body is read: undefined where it is whole, else what ended it. */
export async function streamEnd(stream: ClientHttp2Stream): Promise<string | undefined> {
  let problem: string | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    problem = error.code;
  });
  if (!stream.destroyed) await new Promise<void>(resolve => stream.once('close', resolve));
  return stream.rstCode === constants.NGHTTP2_NO_ERROR ? problem : (problem ?? `code ${stream.rstCode}`);
}
