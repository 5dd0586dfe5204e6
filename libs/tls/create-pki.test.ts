import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import { createPki, type PkiNames } from './create-pki.ts';
import { loadTls, type TlsMaterial } from './tls-material.ts';

const names: PkiNames = {
  serverNames: ['api.example.test', '10.9.8.7'],
  clients: [{ name: 'admin', commonName: 'admin', organizations: ['system:masters', 'more, with a comma'] }],
  services: ['storage', 'gateway'],
};
let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-pki-'));
});
after(() => rm(directory, { recursive: true, force: true }));

/** Connects client and server once; returns the error of either end. */
async function handshake(server: TlsMaterial, client: TlsMaterial, host: string): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const listener = tls.createServer({ ...server, requestCert: true, rejectUnauthorized: true }, socket => {
    socket.on('error', () => {});
    socket.end('ok');
  });
  await new Promise<void>(listening => listener.listen(0, '127.0.0.1', listening));
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const socket = tls.connect({
    ...client,
    host: '127.0.0.1',
    port,
    servername: host,
    checkServerIdentity: (_, cert) => tls.checkServerIdentity(host, cert),
  });
  socket.on('data', () => resolve(undefined));
  socket.on('error', resolve);
  socket.on('close', () => resolve(new Error('closed without an answer')));
  const error = await promise;
  socket.destroy();
  listener.close();
  return error;
}

test('services trust each other, and API client certificates are not accepted as services', async () => {
  const pki = await createPki(directory, names);
  const storage = await loadTls(pki.serviceDirectory('storage'));
  const gateway = await loadTls(pki.serviceDirectory('gateway'));
  const admin = await loadTls(pki.clientDirectory('admin'));
  const server = await loadTls(pki.serverDirectory);
  assert.equal(await handshake(storage, gateway, 'storage'), undefined);
  assert.equal(await handshake(storage, gateway, 'localhost'), undefined);
  assert.equal(await handshake(server, admin, 'api.example.test'), undefined);
  assert.ok(await handshake(storage, gateway, 'gateway'));
  assert.ok(await handshake(storage, { ...admin, ca: storage.ca }, 'storage'));
});

test('the client certificate contains the user and all its groups', async () => {
  const pki = await createPki(directory, names);
  const { cert } = await loadTls(pki.clientDirectory('admin'));
  const socketView = new X509Certificate(cert).toLegacyObject().subject as { CN: unknown; O: unknown };
  assert.equal(socketView.CN, 'admin');
  assert.deepEqual(socketView.O, ['system:masters', 'more, with a comma']);
});

test('a client has a key of the requested type in PKCS #8', async () => {
  const clients = (keyType: 'EC' | 'RSA') => [{ name: 'typed', commonName: 'typed', keyType }];
  for (const keyType of ['EC', 'RSA', 'EC'] as const) {
    const pki = await createPki(directory, { ...names, clients: clients(keyType) });
    const { key } = await loadTls(pki.clientDirectory('typed'));
    assert.match(String(key), /^-----BEGIN PRIVATE KEY-----\n/);
    assert.equal(createPrivateKey(key).asymmetricKeyType, keyType.toLowerCase());
    const repeated = await createPki(directory, { ...names, clients: clients(keyType) });
    assert.equal(String((await loadTls(repeated.clientDirectory('typed'))).key), String(key));
    const [server, client] = [
      await loadTls(pki.serverDirectory),
      await loadTls(pki.clientDirectory('typed')),
    ];
    assert.equal(await handshake(server, client, 'api.example.test'), undefined);
  }
});

test('private keys are readable by their owner only', async () => {
  const pki = await createPki(directory, names);
  const keys = [
    join(directory, 'ca.key'),
    join(directory, 'services-ca.key'),
    pki.serviceAccountKeyFile,
    join(pki.serverDirectory, 'tls.key'),
  ];
  for (const key of keys) assert.equal((await stat(key)).mode & 0o777, 0o600, key);
});

test('valid files are reused, and others are replaced', async () => {
  const pki = await createPki(directory, names);
  const certFile = join(pki.serverDirectory, 'tls.crt');
  const [first, authority] = [await readFile(certFile, 'utf8'), await readFile(pki.caFile, 'utf8')];
  await createPki(directory, names);
  assert.equal(await readFile(certFile, 'utf8'), first);
  await createPki(directory, { ...names, serverNames: ['other.example.test'] });
  const second = await readFile(certFile, 'utf8');
  assert.notEqual(second, first);
  assert.equal(await readFile(pki.caFile, 'utf8'), authority);
  await writeFile(certFile, 'damaged');
  await createPki(directory, { ...names, serverNames: ['other.example.test'] });
  assert.match(await readFile(certFile, 'utf8'), /^-----BEGIN CERTIFICATE-----/);
});

test('an authority is not replaced because its key is missing or another one', async () => {
  const pki = await createPki(directory, names);
  const keyFile = join(directory, 'ca.key');
  const [authority, key] = [await readFile(pki.caFile, 'utf8'), await readFile(keyFile, 'utf8')];
  const refusal = {
    name: 'Refusal',
    message: `${keyFile} is not the key of ${pki.caFile}: put the right one back, or remove both files for a new authority, whose certificates clients do not know yet`,
  };
  await rm(keyFile);
  await assert.rejects(createPki(directory, names), refusal);
  await writeFile(keyFile, await readFile(join(directory, 'services-ca.key')));
  await assert.rejects(createPki(directory, names), refusal);
  assert.equal(await readFile(pki.caFile, 'utf8'), authority);
  await writeFile(keyFile, key);
  await createPki(directory, names);
});

test('each backend has an authority of its own, and no other certificate completes a handshake with it', async () => {
  const clients = [{ name: 'storage', commonName: 'storage' }];
  const backends = [
    { name: 'etcd', clients },
    { name: 'kafka', clients },
    { name: 'redis', clients: [] },
  ];
  const pki = await createPki(directory, { ...names, backends });
  const server = await loadTls(pki.backendServerDirectory('etcd'));
  const good = await loadTls(pki.backendClientDirectory('etcd', 'storage'));
  for (const host of ['localhost', 'etcd']) assert.equal(await handshake(server, good, host), undefined);
  assert.ok(await handshake(server, good, 'kafka'), 'its certificate holds its own name alone');
  for (const other of [
    pki.backendClientDirectory('kafka', 'storage'),
    pki.backendServerDirectory('redis'),
    pki.serviceDirectory('storage'),
    pki.serverDirectory,
    pki.clientDirectory('admin'),
  ]) {
    const { cert, key } = await loadTls(other);
    assert.ok(await handshake(server, { ...good, cert, key }, 'localhost'), other);
  }
});
