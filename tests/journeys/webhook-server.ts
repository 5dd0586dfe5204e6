import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { isJsonObject, type JsonObject, readJson } from '@binnacle/api-objects';
import { createPki } from '@binnacle/tls';
import { findPort } from './setup/find-port.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

/** One call that a webhook got. */
export interface WebhookCall {
  /** With its query. */
  readonly path: string;
  readonly review: JsonObject;
  readonly request: JsonObject;
  /** The header of that name; '' for none. */
  readonly authorization: string;
  /** The headers of that names; '' for none. */
  readonly traceparent: string;
  readonly tracestate: string;
  /** The common name in the certificate that the caller showed; '' for none. */
  readonly caller: string;
}

/** How a webhook answers: the `response` of an AdmissionReview without uid, or the whole HTTP answer. */
export type WebhookBehaviour = (
  request: JsonObject,
) => JsonObject | ((response: ServerResponse, review: JsonObject) => void);

/** Webhooks behind one HTTPS server with a certificate of its own. */
export interface WebhookServer extends AsyncDisposable {
  readonly url: string;
  /** The authority of the certificate, as `caBundle` takes it. */
  readonly caBundle: string;
  /** Calls in the order in which they came. */
  readonly calls: WebhookCall[];
}

/** Starts webhooks, one for each path; the certificate holds these names beside those of this machine. */
export async function startWebhooks(
  behaviours: Readonly<Record<string, WebhookBehaviour>>,
  serverNames: readonly string[] = [],
): Promise<WebhookServer> {
  const directory = await createTemporaryDirectory();
  const { caFile, serverDirectory } = await createPki(directory.path, { serverNames });
  const [ca, cert, key] = await Promise.all(
    [caFile, join(serverDirectory, 'tls.crt'), join(serverDirectory, 'tls.key')].map(file => readFile(file)),
  );
  if (ca === undefined || cert === undefined || key === undefined)
    throw new Error('the certificates are missing');
  const calls: WebhookCall[] = [];
  const server = createServer(
    { cert, key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      void answer(request, response, { behaviours, calls });
    },
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const port = findPort(server);
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: ca.toString('base64'),
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: { readonly behaviours: Readonly<Record<string, WebhookBehaviour>>; readonly calls: WebhookCall[] },
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const review = readJson(Buffer.concat(parts).toString()) as JsonObject; // The API server sends objects.
  const path = request.url ?? '';
  const asked = isJsonObject(review['request']) ? review['request'] : {};
  const { subject } = (request.socket as TLSSocket).getPeerCertificate(); // Of a TLS server.
  const { authorization = '', traceparent = '', tracestate = '' } = request.headers;
  state.calls.push({
    path,
    review,
    request: asked,
    authorization,
    traceparent: String(traceparent),
    tracestate: String(tracestate),
    caller: String(subject?.CN ?? ''),
  });
  const behaviour = state.behaviours[path.split('?', 1)[0] ?? ''];
  const behaves = behaviour?.(asked) ?? { allowed: false };
  if (typeof behaves === 'function') return behaves(response, review);
  const { kind = null, apiVersion = null } = review;
  const body = { kind, apiVersion, response: { uid: asked['uid'] ?? null, ...behaves } };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
