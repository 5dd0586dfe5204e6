import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { listen } from '@binnacle/connections';
import { createLogger } from '@binnacle/telemetry';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { clientCertificateVerdict } from '../authentication/client-certificate.ts';
import { createServer } from './create-server.ts';
import { followCertificates } from './follow-certificates.ts';
import type { ServingTls } from './secure-context-options.ts';

let directory = '';
const servers: Server[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-certificates-'));
});
after(async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await rm(directory, { recursive: true });
});

async function createNamedPki(name: string): Promise<Pki & { tls: ServingTls }> {
  const pki = await createPki(join(directory, name), {
    clients: [{ name: 'admin', commonName: `admin-of-${name}` }],
  });
  const { cert, key } = await loadTls(pki.serverDirectory);
  return { ...pki, tls: { cert, key, clientCa: await readFile(pki.caFile) } };
}

/** A server that says who its client is, and what it takes its certificates from. */
async function start(first: ServingTls) {
  const source = { now: first as ServingTls | Error, reads: 0 };
  const lines: string[] = [];
  const serving = { tls: first };
  const { server } = createServer({
    tls: first,
    async handle({ request, response }) {
      const verdict = clientCertificateVerdict(request.socket, {
        authorities: serving.tls,
        clock: Date.now,
      });
      response.end(typeof verdict === 'object' ? (verdict.user?.user.username ?? 'none') : verdict);
    },
    isStopping: () => false,
    requestTimeout: 60_000,
    metrics: { tlsHandshakeFailed: () => {} },
    clock: Date.now,
  });
  servers.push(server);
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const read = async (): Promise<ServingTls> => {
    source.reads++;
    if (source.now instanceof Error) throw source.now;
    return source.now;
  };
  const logger = createLogger({ sink: line => lines.push(JSON.parse(line).message) });
  const onApplied = (tls: ServingTls) => {
    serving.tls = tls;
  };
  const following = followCertificates(server, { current: first, read, everyMs: 5, onApplied }, logger);
  return { port, source, lines, following };
}

/** Answers the certificate and cipher of the server, and the user that it takes the client for. */
async function ask(port: number, clientPki?: Pki): Promise<{ serial: string; user: string; cipher: string }> {
  const shown = clientPki && (await loadTls(clientPki.clientDirectory('admin')));
  const socket = await new Promise<TLSSocket>((resolve, reject) => {
    const opened = connect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      ...(shown && { cert: shown.cert, key: shown.key }),
    });
    opened.once('secureConnect', () => resolve(opened)).once('error', reject);
  });
  const serial = socket.getPeerX509Certificate()?.serialNumber ?? '';
  const cipher = socket.getCipher().name;
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const part of socket) text += part;
  return { serial, cipher, user: text.split('\r\n\r\n')[1] ?? '' };
}

const readSerial = ({ tls }: { tls: ServingTls }) => new X509Certificate(tls.cert).serialNumber;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; !(await condition()); await pause(5))
    assert.ok(Date.now() < giveUpAt, 'in vain');
}

test('a new certificate and client authority are used without a restart', async () => {
  const [old, next] = [await createNamedPki('old'), await createNamedPki('next')];
  const { port, source, following } = await start(old.tls);
  using _ = following;
  const cipher = 'TLS_AES_128_GCM_SHA256';
  // The second connection finds that the certificate was read before.
  for (const _connection of ['first', 'second'])
    assert.deepEqual(await ask(port, old), { serial: readSerial(old), cipher, user: 'admin-of-old' });
  assert.equal((await ask(port, next)).user, 'untrusted');
  source.now = next.tls;
  await until(async () => (await ask(port)).serial === readSerial(next));
  assert.deepEqual(await ask(port, next), { serial: readSerial(next), cipher, user: 'admin-of-next' });
  assert.equal((await ask(port, old)).user, 'untrusted');
});

test('unreadable or mismatched files are logged once and change nothing', async () => {
  const [good, other] = [await createNamedPki('good'), await createNamedPki('other')];
  const { port, source, lines, following } = await start(good.tls);
  using _ = following;
  source.now = { ...good.tls, key: other.tls.key };
  await until(() => lines.length > 0);
  const { reads } = source;
  await until(() => source.reads > reads + 3);
  assert.deepEqual(lines, ['cannot use new certificates, keeping the old ones']);
  source.now = new Error('no such file');
  await until(() => lines.length > 1);
  assert.equal((await ask(port, good)).user, 'admin-of-good');
  source.now = other.tls;
  await until(() => lines.length > 2);
  assert.equal(lines[2], 'new certificates are served');
  assert.equal((await ask(port)).serial, readSerial(other));
});
