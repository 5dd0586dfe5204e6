import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createAddressFilter } from '@binnacle/network-filter';
import type { CallCredentials, CallRequest, CallResponse } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { createPki, loadTls, type Pki, type TlsMaterial } from '@binnacle/tls';
import { createWebhookDispatch, type WebhookDispatchOptions } from '../create-webhook-dispatch.ts';
import { resolveTarget } from '../targets/resolve-target.ts';

interface Seen {
  readonly host: string;
  readonly serverName: string;
  readonly authorization: string;
  /** The name in the certificate that the caller showed; '' for none. */
  readonly caller: string;
}

let directory: string;
let pki: Pki;
let tls: TlsMaterial;
let server: Server;
let port: number;
const seen: Seen[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'webhook-dispatch-'));
  pki = await createPki(directory, {
    serverNames: ['hook.test.svc'],
    clients: [
      { name: 'one', commonName: 'one' },
      { name: 'two', commonName: 'two' },
    ],
  });
  tls = await loadTls(pki.serverDirectory);
  const { cert, key, ca } = tls;
  const options = { cert, key, ca, requestCert: true, rejectUnauthorized: false };
  server = createServer(options, (request, response) => {
    const socket = request.socket as TLSSocket; // Of a TLS server.
    const { host = '', authorization = '' } = request.headers;
    const { subject } = socket.getPeerCertificate();
    const serverName = String(socket.servername);
    seen.push({ host, serverName, authorization, caller: String(subject?.CN ?? '') });
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

after(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  await rm(directory, { recursive: true });
});

const service = { namespace: 'test', name: 'hook', path: '/p', port: 8443 };
const nobody: CallCredentials = {
  clientCertificate: new Uint8Array(0),
  clientKey: new Uint8Array(0),
  username: '',
  password: '',
  token: '',
};

async function callWith(
  options: WebhookDispatchOptions,
  request: Partial<CallRequest>,
): Promise<CallResponse> {
  await using dispatch = createWebhookDispatch({ allowLoopbackWebhooks: true, ...options });
  using call = createCallContext({ timeoutMs: 20_000 });
  return await dispatch.service.call(requestWith(request), call);
}

function requestWith(request: Partial<CallRequest>): CallRequest {
  return {
    url: request.service === undefined ? `https://127.0.0.1:${port}/hook` : '',
    caBundle: tls.ca,
    body: Buffer.from('{}'),
    timeoutSeconds: 10,
    caller: 'test',
    ...request,
  };
}

test('a service is called at the given address under the name of its certificate', async () => {
  seen.length = 0;
  const { failure, failureMessage } = await callWith({}, { service, address: { host: '127.0.0.1', port } });
  assert.deepEqual([failure, failureMessage], ['NONE', '']);
  assert.deepEqual([seen[0]?.host, seen[0]?.serverName], ['hook.test.svc:8443', 'hook.test.svc']);
});

test('a flag selects the name service instead of addresses from the cluster, or refuses services', async () => {
  seen.length = 0;
  const address = { host: '127.0.0.1', port };
  const none = await callWith({ serviceResolver: 'none' }, { service, address });
  assert.deepEqual([none.failure, /calls no services/.test(none.failureMessage)], ['NO_SUCH_SERVICE', true]);
  assert.equal(seen.length, 0);
  using call = createCallContext({ timeoutMs: 20_000 });
  const filter = createAddressFilter({ denied: [] });
  const rules = { serviceResolver: 'dns', filter } as const;
  const target = await resolveTarget(requestWith({ service, address }), rules, call);
  assert.deepEqual(
    [target.address, target.serverName, target.url.port],
    [undefined, 'hook.test.svc', '8443'],
  );
});

for (const host of [
  '127.0.0.1',
  '::ffff:127.0.0.1',
  'localhost',
  '169.254.169.254',
  '::ffff:a9fe:a9fe',
  '10.66.0.1',
])
  test(`a service at ${host} is not called`, async () => {
    seen.length = 0;
    const address = { host, port };
    const options = { allowLoopbackWebhooks: false, webhookDeniedNetworks: ['10.66.0.0/16'] };
    const answer = await callWith(options, { service, address });
    assert.deepEqual([answer.failure, seen.length], ['INVALID_TARGET', 0], answer.failureMessage);
  });

test('the given credentials are sent to the webhook', async () => {
  seen.length = 0;
  await callWith({}, { credentials: { ...nobody, token: 'secret' } });
  await callWith({}, { credentials: { ...nobody, username: 'u', password: 'p:w' } });
  await callWith({}, { credentials: nobody });
  await callWith({}, {});
  assert.deepEqual(
    seen.map(({ authorization, caller }) => [authorization, caller]),
    [
      ['Bearer secret', ''],
      [`Basic ${Buffer.from('u:p:w').toString('base64')}`, ''],
      ['', ''],
      ['', ''],
    ],
  );
});

test('connections with different client certificates are separate', async () => {
  seen.length = 0;
  await using dispatch = createWebhookDispatch({ allowLoopbackWebhooks: true });
  for (const name of ['one', 'two', 'one', '']) {
    using call = createCallContext({ timeoutMs: 20_000 });
    const shown = name === '' ? undefined : await loadTls(pki.clientDirectory(name));
    const credentials = shown && {
      ...nobody,
      clientCertificate: Buffer.from(shown.cert),
      clientKey: Buffer.from(shown.key),
    };
    const { failure } = await dispatch.service.call(requestWith(credentials ? { credentials } : {}), call);
    assert.equal(failure, 'NONE');
  }
  assert.deepEqual(
    seen.map(({ caller }) => caller),
    ['one', 'two', 'one', ''],
  );
});
