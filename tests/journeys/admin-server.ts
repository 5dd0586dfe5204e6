import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type Agent, request as startRequest } from 'node:https';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { StandaloneOptions } from '@binnacle/standalone/testing';
import { loadTls } from '@binnacle/tls';
import { encodeBody, readBody, warningsIn } from './setup/http-message.ts';
import { at } from './setup/json-parts.ts';
import { keptConnections } from './setup/kept-connections.ts';
import { startTestServer, type TestServer } from './setup/test-server.ts';

export { at } from './setup/json-parts.ts';

/** The parts of a request besides its method and path. */
export interface Sent {
  /** An object, or the text itself. */
  readonly body?: JsonValue;
  /** Default: `application/json`. */
  readonly contentType?: string;
}

/** An answer of the API. */
interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  /** The texts of the `Warning: 299` headers. */
  readonly warnings: readonly string[];
}

/** A server, with an administrator's way of asking it. */
export interface AdminServer extends AsyncDisposable {
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends a request that must be answered with this code; gives the body. */
  expect(code: number, method: string, path: string, sent?: Sent): Promise<JsonObject>;
  /** Creates a namespace with a name of its own; gives its path: `/api/v1/namespaces/<name>`. */
  namespace(): Promise<string>;
}

/** Starts every service in this process, on an empty store and a free port. */
export async function startAdminServer(options: Partial<StandaloneOptions> = {}): Promise<AdminServer> {
  return adminServerFrom(await startTestServer(options));
}

/** An administrator's way of asking a server of a test, which ends with it. */
export async function adminServerFrom(server: TestServer): Promise<AdminServer> {
  await using stack = new AsyncDisposableStack();
  const { url, pki } = stack.use(server).standalone;
  const agent = keptConnections(await loadTls(pki.clientDirectory('admin')));
  stack.defer(() => agent.destroy());
  const send = (method: string, path: string, sent: Sent = {}) =>
    sendRequest({ url: new URL(path, url), agent, method, sent });
  const expect: AdminServer['expect'] = async (code, method, path, sent) => {
    const answer = await send(method, path, sent);
    assert.equal(answer.code, code, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const running = stack.move();
  return {
    send,
    expect,
    async namespace() {
      const name = server.newName();
      await expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name } } });
      return `/api/v1/namespaces/${name}`;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Reason, and field and reason of each cause, of a Status. */
export function findings(status: JsonObject): string[] {
  const causes = at(status, 'details', 'causes');
  return [
    String(status['reason'] ?? ''),
    ...(Array.isArray(causes) ? causes.map(cause => `${at(cause, 'reason')} ${at(cause, 'field')}`) : []),
  ];
}

async function sendRequest(options: {
  readonly url: URL;
  readonly agent: Agent;
  readonly method: string;
  readonly sent: Sent;
}): Promise<Answer> {
  const { url, agent, method, sent } = options;
  const { body, contentType = 'application/json' } = sent;
  const bytes = encodeBody(body) ?? '';
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      'content-length': Buffer.byteLength(bytes),
      ...(contentType && { 'content-type': contentType }),
    };
    const request = startRequest(url, { agent, method, headers });
    request.on('response', resolve).on('error', reject);
    request.end(bytes);
  });
  const answered = (await readBody(message)).toString();
  return {
    code: message.statusCode ?? 0,
    body: answered.startsWith('{') ? JSON.parse(answered) : { text: answered },
    warnings: warningsIn(message.rawHeaders),
  };
}
