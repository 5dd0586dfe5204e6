import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadTls } from '@binnacle/tls';
import { startAdminServer } from './admin-server.ts';
import { until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

test('a server on all addresses has its controllers, an administrator and a certificate for all addresses', async () => {
  await using directory = await createTemporaryDirectory();
  await using server = await startAdminServer({ bindAddress: '0.0.0.0', dataDir: directory.path });
  await server.expect(201, 'POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
  });
  const account = '/api/v1/namespaces/a/serviceaccounts/default';
  await until('a controller made the account', async () => (await server.send('GET', account)).code === 200);
  const { cert } = await loadTls(join(directory.path, 'pki', 'server'));
  const certificate = new X509Certificate(cert);
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  for (const { address, family, internal } of addresses)
    if (family === 'IPv4' || internal) assert.equal(certificate.checkIP(address), address);
});
