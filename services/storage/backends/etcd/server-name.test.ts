import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { createPki, loadTls } from '@binnacle/service-kit';
import { AccessReport } from './access-report.ts';
import { createMembers } from './members.ts';

let directory = '';
let tls: Awaited<ReturnType<typeof loadTls>>;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-server-name-'));
  const pki = await createPki(directory, { clients: [] });
  tls = await loadTls(pki.serverDirectory);
});
after(() => rm(directory, { recursive: true }));

for (const [host, name] of [
  ['127.0.0.1', false],
  ['localhost', 'localhost'],
] as const)
  test(`a member at ${host}, whose certificate is verified, is sent the server name ${name || '(none)'}`, async () => {
    const server = createServer({ ...tls, ALPNProtocols: ['h2'] });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const connected = once(server, 'secureConnection');
    const endpoints = [`https://${host}:${port}`];
    const members = createMembers(
      { endpoints, prefix: '/x', tls: { ca: Buffer.from(tls.ca), identity: undefined } },
      new AccessReport(),
    );
    const asked = members.run(client => client.get('/x/key').string());
    const [socket] = (await connected) as [TLSSocket]; // What the event brings.
    assert.equal(socket.servername, name);
    // The client speaks once it has verified the certificate.
    await once(socket, 'data');
    socket.destroy();
    await assert.rejects(asked);
    members.close();
    server.close();
  });
