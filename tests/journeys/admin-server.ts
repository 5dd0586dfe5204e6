import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { loadTls } from '@binnacle/service-kit';
import { type StandaloneOptions, startStandalone } from '@binnacle/standalone/testing';
import { testControllers } from './api-server.ts';
import { bytesOf, readBody, warningsIn } from './setup/http-message.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

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

/** A server of its own for a test file, with an administrator's way of asking it. */
export interface AdminServer extends AsyncDisposable {
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends a request that must be answered with this code; gives the body. */
  expect(code: number, method: string, path: string, sent?: Sent): Promise<JsonObject>;
  /** Creates a namespace with a name of its own; gives its path: `/api/v1/namespaces/<name>`. */
  namespace(): Promise<string>;
}

/** Starts every service in this process, on an empty store and a free port. */
export async function startAdminServer(options: Partial<StandaloneOptions> = {}): Promise<AdminServer> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory());
  const server = stack.use(
    await startStandalone({
      dataDir: directory.path,
      port: 0,
      allowLoopbackWebhooks: true,
      controllers: testControllers,
      ...options,
    }),
  );
  const agent = new Agent({ keepAlive: true, ...(await loadTls(server.pki.clientDirectory('admin'))) });
  stack.defer(() => agent.destroy());
  const send = (method: string, path: string, sent: Sent = {}) =>
    sendRequest({ url: new URL(path, server.url), agent, method, sent });
  let namespaces = 0;
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
      namespaces++;
      await expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name: `test-${namespaces}` } } });
      return `/api/v1/namespaces/test-${namespaces}`;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The value at a path of keys; undefined when the way ends before. */
export function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as { [key: string | number]: JsonValue | undefined })[key]; // An object or a list.
  }
  return found;
}

/** Reason, and field and reason of each cause, of a Status. */
export function findings(status: JsonObject): JsonValue {
  const causes = at(status, 'details', 'causes');
  return [
    status['reason'] ?? '',
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
  const bytes = bytesOf(body) ?? '';
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
