import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionGuard, closeServer, listen } from '@binnacle/connections';
import { createPki, loadTls } from '@binnacle/tls';
import type { Exchange } from '../../request/exchange.ts';
import type { ConnectionSettings } from '../../settings/connection-flags.ts';
import { createServer } from '../create-server.ts';
import type { ServingTls } from '../secure-context-options.ts';

/** A server under test, and what it counted. */
export interface Http2Target extends AsyncDisposable {
  readonly server: Server;
  readonly guard: ConnectionGuard;
  readonly port: number;
  /** Reasons and protocols in the order in which they were counted. */
  readonly counted: string[];
  readonly state: { stopping: boolean; streams: number; random: number };
  /** Opens a connection that is closed with the target. */
  connect(): ClientHttp2Session;
}

/** The answer that a test client receives. */
interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** 0 unless the server reset the stream. */
  readonly resetCode: number;
  /** Whether the answer came to its end. */
  readonly isWhole: boolean;
}

const never = 600_000;

/** Certificates of a server, in a directory that goes when the tests of the file have ended. */
export async function createTestTls(): Promise<ServingTls> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-tls-'));
  after(() => rm(directory, { recursive: true }));
  return loadTls((await createPki(directory)).serverDirectory);
}

/** Waits until a condition holds; fails after half a minute. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; !(await condition()); await pause(5))
    assert.ok(Date.now() < giveUpAt, `timed out: ${what}`);
}

/** Starts a server with TLS whose every request is served by one step. */
export async function startHttp2Target(
  tls: ServingTls,
  step: (exchange: Exchange) => Promise<void>,
  connections: Partial<ConnectionSettings> = {},
): Promise<Http2Target> {
  const counted: string[] = [];
  const state = { stopping: false, streams: 0, random: 0 };
  const count = (what: string) => (reason: string) => void counted.push(`${what} ${reason}`);
  const { server, guard } = createServer({
    tls,
    handle: step,
    isStopping: () => state.stopping,
    requestTimeout: never,
    connections: {
      ...{ tlsHandshakeTimeout: never, requestHeaderTimeout: never, requestBodyIdleTimeout: never },
      ...{ responseIdleTimeout: never, keepAliveTimeout: never },
      ...connections,
    },
    connectionMetrics: {
      established: count('established'),
      closed: count('closed'),
      refused: count('refused'),
      open() {},
    },
    http2Metrics: {
      streams: change => {
        state.streams += change;
      },
      refused: count('http2'),
    },
    metrics: { tlsHandshakeFailed() {} },
    clock: Date.now,
    random: () => state.random,
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const clients = new Set<ClientHttp2Session>();
  return {
    ...{ server, guard, port, counted, state },
    connect() {
      const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
      session.on('error', () => {});
      clients.add(session);
      return session;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await closeServer(server, guard, 0);
    },
  };
}

/** Sends one request over a session and hears all of its answer. */
export function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: Buffer | string,
): Promise<Heard> {
  const stream = session.request(headers, { endStream: body === undefined });
  const heard = hear(stream);
  if (body !== undefined) stream.end(body);
  return heard;
}

/** Hears all of an answer. Node throws away what is not listened for by the time that it comes. */
export function hear(stream: ClientHttp2Stream): Promise<Heard> {
  let status = 0;
  let received = {};
  let text = '';
  let isWhole = false;
  stream.setEncoding('utf8');
  stream.on('response', answer => {
    status = answer[':status'] ?? 0;
    received = answer;
  });
  stream.on('data', part => {
    text += part;
  });
  stream.on('end', () => {
    isWhole = !stream.aborted;
  });
  stream.on('error', () => {});
  return new Promise(resolve => {
    stream.on('close', () =>
      resolve({ status, headers: received, text, resetCode: stream.rstCode ?? 0, isWhole }),
    );
  });
}
