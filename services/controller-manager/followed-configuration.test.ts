import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { FollowedFiles } from '@binnacle/backend-access';
import {
  createApiClient,
  createCredentialSource,
  followClientConfiguration,
  loadClientConfiguration,
} from '@binnacle/client';
import { silentLogger } from '@binnacle/telemetry';
import { createPki, loadTls, type Pki } from '@binnacle/tls';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-followed-'));
after(() => rmSync(folder, { recursive: true }));

const names = ['ca.crt', 'tls.crt', 'tls.key'];
const nameOfUser = { clients: [{ name: 'admin', commonName: 'admin' }] };

/** A server that tells the serial number of a client's certificate, and whose watches send one message and stay open. */
async function startServer(pki: Pki) {
  const server = createSecureServer(
    { ...(await servingTls(pki)), requestCert: true },
    (request, response) => {
      if (request.url.includes('watch=1')) {
        response.write('{"type":"ADDED","object":{}}\n');
        return;
      }
      const { serialNumber } = (request.stream.session?.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ serialNumber }));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }; // It listens on TCP.
}

async function servingTls(pki: Pki) {
  const { cert, key } = await loadTls(pki.serverDirectory);
  return { cert, key, ca: await readFile(pki.caFile) };
}

/** Writes a client configuration that names the files of its folder. */
async function writeConfiguration(directory: string, server: string): Promise<string> {
  const cluster = { server, 'certificate-authority': 'ca.crt' };
  const user = { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' };
  const file = join(directory, 'config');
  const content = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  };
  await writeFile(file, JSON.stringify(content));
  return file;
}

test('a client goes on with the authority and certificate that its files have, and not with those of before', async () => {
  const old = await createPki(join(folder, 'old'), nameOfUser);
  const renewed = join(folder, 'renewed');
  await mkdir(renewed);
  for (const name of ['ca.crt', 'ca.key']) await copyFile(join(folder, 'old', name), join(renewed, name));
  const another = (await createPki(renewed, nameOfUser)).clientDirectory('admin');
  const next = await createPki(join(folder, 'next'), nameOfUser);
  const [own, fresh] = [old.clientDirectory('admin'), next.clientDirectory('admin')];
  const { server, url } = await startServer(old);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => void server.close());
  const path = await writeConfiguration(own, url);
  const files = stack.use(new FollowedFiles());
  const read = () => loadClientConfiguration(path);
  const createClient = async (followed?: FollowedFiles) => {
    const configuration = await followClientConfiguration('--kubeconfig', read, followed);
    return stack.use(createApiClient({ configuration, userAgent: 'test' }));
  };
  const [client, stranger] = [await createClient(files), await createClient()];
  const ask = (asked = client) =>
    asked.request<{ serialNumber: string }>({ method: 'GET', path: '/', timeoutMs: 5000 });
  const first = await ask();
  for (const name of ['tls.crt', 'tls.key']) await copyFile(join(another, name), join(own, name));
  await files.look(silentLogger);
  const before = await ask();
  assert.notEqual(before.serialNumber, first.serialNumber);
  const ending = new AbortController();
  const watch = client.watch('/api/v1/namespaces?watch=1', ending.signal)[Symbol.asyncIterator]();
  assert.equal((await watch.next()).done, false);
  server.setSecureContext(await servingTls(next));
  // A certificate without its key is not used.
  await copyFile(join(fresh, 'tls.crt'), join(own, 'tls.crt'));
  await files.look(silentLogger);
  assert.deepEqual(await ask(), before);
  for (const name of names) await copyFile(join(fresh, name), join(own, name));
  await files.look(silentLogger);
  assert.notEqual((await ask()).serialNumber, before.serialNumber);
  // Its watch ends as if the server had ended it, and begins anew with the other certificate.
  assert.equal((await watch.next()).done, true);
  await assert.rejects(ask(stranger), /cannot reach/);
});

test('a token in a followed configuration is the latest one', async () => {
  const file = join(folder, 'with-token');
  const write = (token: string) =>
    writeFile(
      file,
      `current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://h'}}]\nusers: [{name: u, user: {token: ${token}}}]\n`,
    );
  await write('first');
  using files = new FollowedFiles();
  const configuration = await followClientConfiguration('x', () => loadClientConfiguration(file), files);
  using source = createCredentialSource(configuration);
  const first = await source.current();
  assert.equal(first.authorization, 'Bearer first');
  assert.equal(await source.renew(first), false);
  await write('second');
  await files.look(silentLogger);
  assert.equal(await source.renew(first), true);
  assert.equal((await source.current()).authorization, 'Bearer second');
});
