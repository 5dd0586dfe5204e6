import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import {
  type ClientConfiguration,
  createApiClient,
  createCredentialSource,
  createDirectClient,
  createRemoteWebhook,
  loadClientConfiguration,
} from '@binnacle/client';
import type { WatchMessage } from '@binnacle/client/testing';
import { StatusError } from '@binnacle/status-errors';
import { createPki, loadTls } from '@binnacle/tls';
import { findPort } from './setup/find-port.ts';

let directory = '';
let server: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer };

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-credentials-'));
  const clients = ['one', 'two'].map(name => ({ name, commonName: name }));
  const pki = await createPki(directory, { clients });
  server = await loadTls(pki.serverDirectory);
  for (const name of ['one', 'two']) {
    const { cert, key } = await loadTls(pki.clientDirectory(name));
    const status = { clientCertificateData: `${cert}`, clientKeyData: `${key}` };
    await writeFile(join(directory, name), credential(status));
  }
});
after(() => rm(directory, { recursive: true }));

const apiVersion = 'client.authentication.cluster.io/v1';
const credential = (status: object) => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });

/** The parts of a request that the server saw: the path, the header, and the name in the certificate. */
interface Seen {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly certificate: string | undefined;
}

type Respond = (seen: Seen, response: Http2ServerResponse) => void;

/** A server over HTTP/1.1 and HTTP/2 that asks for client certificates, and what it saw. */
async function startServer(respond: Respond) {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const listener = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    // Of a server over TLS, in either version.
    const socket = (
      request.httpVersion === '2.0' ? request.stream.session?.socket : request.socket
    ) as TLSSocket;
    const { url: path, headers } = request;
    const certificate = [socket.getPeerCertificate().subject?.CN].flat()[0];
    const one = { path, authorization: headers.authorization, certificate };
    seen.push(one);
    respond(one, response);
  };
  const options = { cert: server.cert, key: server.key, ca: server.ca };
  const listening = createSecureServer(
    { ...options, requestCert: true, rejectUnauthorized: false, allowHTTP1: true },
    listener,
  );
  listening.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const port = findPort(listening);
  return {
    seen,
    sockets,
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy();
      listening.close();
    },
  };
}

const json = (response: Http2ServerResponse, code: number, body: unknown): void => {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const unauthorized = { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

let plugins = 0;

/**
 * A configuration whose plugin prints the files of the folder one after another, and repeats the last one; `runs` counts its runs.
 */
async function pluginConfiguration(url: string, files: readonly string[]) {
  const name = join(directory, `plugin-${plugins++}`);
  const script = `#!/bin/sh
echo >> ${name}.runs
set -- ${files.join(' ')}
n=$(wc -l < ${name}.runs); [ "$n" -gt $# ] && n=$#
shift $((n - 1)); cat "${directory}/$1"
`;
  await writeFile(`${name}.sh`, script, { mode: 0o755 });
  const exec = `{apiVersion: ${apiVersion}, command: ${name}.sh, interactiveMode: Never}`;
  const configuration = await createConfiguration(url, `{exec: ${exec}}`);
  const runs = async () => (await readFile(`${name}.runs`, 'utf8').catch(() => '')).length;
  return { configuration, runs };
}

async function createConfiguration(url: string, user: string): Promise<ClientConfiguration> {
  const path = join(directory, 'config');
  const cluster = `{server: "${url}", certificate-authority-data: ${server.ca.toString('base64')}}`;
  await writeFile(
    path,
    `{current-context: c, contexts: [{name: c, context: {cluster: k, user: u}}], clusters: [{name: k, cluster: ${cluster}}], users: [{name: u, user: ${user}}]}`,
  );
  return loadClientConfiguration(path);
}

const get = (path: string) => ({ method: 'GET', path }) as const;

/** The interface that the clients have in common. */
interface Client extends AsyncDisposable {
  request(request: { readonly method: 'GET'; readonly path: string }): Promise<unknown>;
  watch(path: string, signal: AbortSignal): AsyncIterable<WatchMessage>;
}

function openDirect(configuration: ClientConfiguration): Client {
  const credentialSource = createCredentialSource(configuration);
  const { signal } = new AbortController();
  const common = { userAgent: 'test', timeoutMs: 20_000, signal, now: () => performance.now() };
  const client = createDirectClient({ ...common, configuration, credentialSource });
  return {
    request: request => client.json(request),
    watch: path => client.watch({ method: 'GET', path }),
    async [Symbol.asyncDispose]() {
      credentialSource[Symbol.dispose]();
      client[Symbol.dispose]();
    },
  };
}

type Open = (configuration: ClientConfiguration) => Client;

/** Registers a test with each kind of client. */
function testClients(what: string, run: (open: Open) => Promise<void>): void {
  const kinds: Readonly<Record<string, Open>> = {
    'a program': configuration => createApiClient({ configuration, userAgent: 'test' }),
    'a command line': openDirect,
  };
  for (const [kind, open] of Object.entries(kinds)) test(`${what} (client of ${kind})`, () => run(open));
}

testClients(
  'a request whose token is refused is sent once more with a renewed one, for all that wait with one run',
  async open => {
    await writeFile(join(directory, 'old'), credential({ token: 'old' }));
    await writeFile(join(directory, 'new'), credential({ token: 'new' }));
    await using api = await startServer(({ authorization }, response) => {
      if (authorization === 'Bearer new') json(response, 200, 'well');
      else json(response, 401, unauthorized);
    });
    const { configuration, runs } = await pluginConfiguration(api.url, ['old', 'new']);
    await using client = open(configuration);
    const answers = await Promise.all(['/a', '/b', '/c'].map(path => client.request(get(path))));
    assert.deepEqual(answers, ['well', 'well', 'well']);
    assert.equal(await runs(), 2);
  },
);

testClients('a request whose renewed token is refused as well fails with the refusal', async open => {
  await writeFile(join(directory, 'bad'), credential({ token: 'bad' }));
  await using api = await startServer((_, response) => json(response, 401, unauthorized));
  const { configuration, runs } = await pluginConfiguration(api.url, ['bad']);
  await using client = open(configuration);
  for (const path of ['/a', '/b'])
    await assert.rejects(
      client.request(get(path)),
      error => error instanceof StatusError && error.code === 401,
    );
  assert.deepEqual(
    api.seen.map(({ path }) => path),
    ['/a', '/a', '/b'],
  );
  assert.equal(await runs(), 2);
});

testClients(
  'a new certificate ends watches on the old connections, and requests under way end well on theirs',
  async open => {
    const held = Promise.withResolvers<Http2ServerResponse>();
    await using api = await startServer(({ path, certificate }, response) => {
      if (path === '/held') held.resolve(response);
      else if (path.includes('watch=1')) {
        response.writeHead(200);
        response.write(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name: certificate } } })}\n`);
      } else if (path === '/renew' && certificate === 'one') json(response, 401, unauthorized);
      else json(response, 200, certificate);
    });
    const { configuration } = await pluginConfiguration(api.url, ['one', 'two']);
    await using client = open(configuration);
    const watched: WatchMessage[] = [];
    const begun = Promise.withResolvers<void>();
    const watching = (async () => {
      for await (const message of client.watch('/w?watch=1', new AbortController().signal)) {
        watched.push(message);
        begun.resolve();
      }
    })();
    const underWay = client.request(get('/held'));
    await begun.promise;
    const response = await held.promise;
    const before = [...api.sockets];
    assert.equal(await client.request(get('/renew')), 'two');
    await watching;
    json(response, 200, 'whole');
    assert.equal(await underWay, 'whole');
    assert.equal(await client.request(get('/last')), 'two');
    assert.deepEqual(
      watched.map(({ object }) => object.metadata.name),
      ['one'],
    );
    // All that the first certificate opened is closed, the connection of the held request as well.
    await Promise.all(before.map(socket => api.sockets.has(socket) && once(socket, 'close')));
  },
);

testClients('the same certificate again keeps its connections', async open => {
  await using api = await startServer(({ path }, response) =>
    json(response, path === '/refused' ? 401 : 200, path === '/refused' ? unauthorized : 'well'),
  );
  const { configuration, runs } = await pluginConfiguration(api.url, ['one']);
  await using client = open(configuration);
  await client.request(get('/a'));
  const [socket] = api.sockets;
  await assert.rejects(client.request(get('/refused')));
  await client.request(get('/b'));
  assert.equal(await runs(), 2);
  assert.deepEqual([...api.sockets], [socket]);
});

testClients('a watch shows the credentials of a plugin as well, and renews them', async open => {
  await using api = await startServer(({ authorization }, response) => {
    if (authorization !== 'Bearer new') json(response, 401, unauthorized);
    else response.end(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'a' } } })}\n`);
  });
  const { configuration } = await pluginConfiguration(api.url, ['old', 'new']);
  await using client = open(configuration);
  const watched: string[] = [];
  for await (const { type } of client.watch('/w?watch=1', new AbortController().signal)) watched.push(type);
  assert.deepEqual(watched, ['ADDED']);
});

for (const [what, user, authorization] of [
  ['a user name and password', '{username: me, password: pw}', `Basic ${btoa('me:pw')}`],
  ['a token', '{token: t}', 'Bearer t'],
  ['a token file', '{tokenFile: token}', 'Bearer from-file'],
  ['nothing', '{}', undefined],
] as const)
  testClients(`a client and a webhook with ${what} show that, below the path of the server`, async open => {
    await writeFile(join(directory, 'token'), 'from-file\n');
    await using api = await startServer((_, response) => json(response, 200, {}));
    const configuration = await createConfiguration(`${api.url}/base`, user);
    await using client = open(configuration);
    await client.request(get('/api'));
    await using webhook = createWebhook(configuration);
    await webhook.post({}, {});
    const expected = { authorization, certificate: undefined };
    assert.deepEqual(api.seen, [
      { path: '/base/api', ...expected },
      { path: '/base', ...expected },
    ]);
  });

test('a webhook call is repeated with renewed credentials', async () => {
  await using api = await startServer(({ certificate }, response) =>
    json(response, certificate === 'two' ? 200 : 401, certificate),
  );
  const { configuration } = await pluginConfiguration(api.url, ['one', 'two']);
  await using webhook = createWebhook(configuration);
  assert.equal(await webhook.post({}, {}), 'two');
});

testClients('a plugin that fails is the failure of the request, and of the webhook', async open => {
  await using api = await startServer((_, response) => json(response, 200, {}));
  const { configuration } = await pluginConfiguration(api.url, ['not-there']);
  await using client = open(configuration);
  await assert.rejects(client.request(get('/a')), /user "u": exec: .*\.sh: ended with exit code 1$/);
  await using webhook = createWebhook(configuration);
  await assert.rejects(webhook.post({}, {}), { kind: 'credentials', message: /exit code 1$/ });
  assert.deepEqual(api.seen, []);
});

function createWebhook(configuration: ClientConfiguration) {
  const retry = { attempts: 1, backoffMs: 1 };
  return createRemoteWebhook({ configuration, userAgent: 'test', timeoutMs: 20_000, retry });
}
