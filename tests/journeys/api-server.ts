import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { StandaloneOptions } from '@binnacle/standalone/testing';
import type { Pki } from '@binnacle/tls';
import { encodeBody, followLines, readBody } from './setup/http-message.ts';
import { keptConnections } from './setup/kept-connections.ts';
import { startTestServer, type TestServer } from './setup/test-server.ts';

/** The parts of the API's documents that tests look at; a member that a document lacks is undefined all the same. */
export interface Document {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly continue: string;
    readonly remainingItemCount: number;
  };
  readonly data: Readonly<Record<string, string>>;
  readonly items: readonly Document[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Document | null }[];
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly status: string;
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details: {
    readonly name: string;
    readonly kind: string;
    readonly causes: readonly { readonly reason: string; readonly field: string }[];
    readonly retryAfterSeconds: number;
  };
  /** Of a watch event. */
  readonly type: string;
  readonly object: Document;
  readonly groups: readonly { readonly name: string }[];
  readonly groupVersion: string;
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

/** A request of a test. */
export interface Call {
  readonly body?: unknown;
  /** A token of the static token file; default: the administrator's. Null: no credentials. */
  readonly token?: string | null;
  readonly headers?: Record<string, string | string[]>;
  readonly agent?: Agent;
}

/** The answer to a request. */
export interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined when the body is no JSON. */
  readonly json: Document;
  /** The local port of the connection: equal for answers over the same one. */
  readonly connection: number | undefined;
}

/** The events of a watch as they come. */
export interface WatchStream extends Disposable {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: Document[];
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
}

/** A server, and ways of a test file to talk to it. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly pki: Pki;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  watch(path: string, call?: Call): Promise<WatchStream>;
  /** Creates a namespace of that name. */
  namespace(name: string): Promise<void>;
  stop(): Promise<void>;
}

const timeoutMs = 60_000;

/** Starts the standalone form in a folder of its own, with users admin, alice (groups devs and qa) and bob. */
export async function startApiServer(options: Partial<StandaloneOptions> = {}): Promise<ApiServer> {
  return apiServerFrom(await startTestServer(options));
}

/** Ways to talk to a server of a test, which ends with them. */
export async function apiServerFrom(server: TestServer): Promise<ApiServer> {
  const { standalone } = server;
  const shared = keptConnections({ ca: await readFile(standalone.pki.caFile) });
  const send = (method: string, path: string, call: Call) =>
    open(standalone.url, { method, path, call, shared });
  const call = async (method: string, path: string, options: Call = {}): Promise<Answer> => {
    const message = await send(method, path, options);
    const connection = message.socket.localPort;
    const bytes = await readBody(message);
    const text = bytes.toString('utf8');
    return {
      code: message.statusCode ?? 0,
      headers: message.headers,
      bytes,
      text,
      json: parse(text),
      connection,
    };
  };
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopped ??= Promise.resolve(server[Symbol.asyncDispose]());
    await stopped;
  };
  return {
    url: standalone.url,
    pki: standalone.pki,
    call,
    watch: async (path, options = {}) => follow(await send('GET', path, options)),
    async namespace(name) {
      const { code, text } = await call('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
      if (code !== 201) throw new Error(text);
    },
    stop,
    async [Symbol.asyncDispose]() {
      shared.destroy();
      await stop();
    },
  };
}

/**
 * Waits until a condition holds; fails with its description after a generous while. It looks often at first, and then less and less,
 * down to once in `lookMs`: a look is a request as a rule.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  lookMs = 100,
): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  for (let waitMs = 10; !(await condition()); waitMs = Math.min(lookMs, 1.5 * waitMs)) {
    if (Date.now() > giveUpAt) throw new Error(`in vain: ${what}`);
    await pause(waitMs);
  }
}

interface Sending {
  readonly method: string;
  readonly path: string;
  readonly call: Call;
  readonly shared: Agent;
}

function open(url: string, { method, path, call, shared }: Sending): Promise<IncomingMessage> {
  const { body, token = 'admintoken', headers = {}, agent = shared } = call;
  const sent = encodeBody(body);
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url + path, {
      method,
      agent,
      ca: shared.options.ca,
      headers: {
        'User-Agent': 'journey/1.0',
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    request.on('response', resolve).on('error', reject);
    request.end(sent);
  });
}

function follow(message: IncomingMessage): WatchStream {
  const events: Document[] = [];
  const ended = followLines(message, line => events.push(parse(line)));
  return {
    code: message.statusCode ?? 0,
    headers: message.headers,
    events,
    ended,
    [Symbol.dispose]: () => void message.destroy(),
  };
}

/** Tests fail where a document is not what they take it for. */
function parse(text: string): Document {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return undefined as unknown as Document;
  }
}
