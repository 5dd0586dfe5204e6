import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { makeTestFolder } from './test-drivers/stored-samples.ts';

const services = ['storage', 'gateway'];

/** Connects to a pod as a gateway; gives the serial number of the certificate that it shows, or the text of what went wrong. */
async function serialSeenBy(pki: Pki, port: number): Promise<string> {
  const tls = await loadTls(pki.serviceDirectory('gateway'));
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ ...tls, port, host: '127.0.0.1', ALPNProtocols: ['h2'] }, () => {
    resolve(socket.getPeerCertificate().serialNumber);
    socket.end();
  });
  socket.on('error', error => resolve(error.message));
  return await promise;
}

test('a pod takes another certificate with its key and authority, and none that its key does not belong to', async () => {
  const folder = await makeTestFolder();
  const [old, next] = [
    await createPki(join(folder, 'old'), { services }),
    await createPki(join(folder, 'next'), { services }),
  ];
  const [own, fresh] = [old.serviceDirectory('storage'), next.serviceDirectory('storage')];
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const pod = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'main.ts'),
      ...[
        '--backend=embedded',
        `--data-dir=${join(folder, 'data')}`,
        `--tls-dir=${own}`,
        '--log-format=json',
      ],
      ...['--tls-reload-interval=100ms', `--port=${port}`, `--operations-port=${operationsPort}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  pod.stderr.on('data', text => {
    log += text;
  });
  await using _pod = {
    async [Symbol.asyncDispose]() {
      pod.kill('SIGTERM');
      if (pod.exitCode === null && pod.signalCode === null) await once(pod, 'exit');
    },
  };
  let before = '';
  await pollUntil('the pod to serve', async () => {
    before = await serialSeenBy(old, port);
    return /^[0-9A-F]+$/.test(before);
  });
  await copyFile(join(fresh, 'tls.crt'), join(own, 'tls.crt'));
  await pollUntil('the pod to say that they do not match', async () => log.includes('the old ones stay'));
  assert.equal(await serialSeenBy(old, port), before);
  await copyFile(join(fresh, 'tls.key'), join(own, 'tls.key'));
  await copyFile(join(fresh, 'ca.crt'), join(own, 'ca.crt'));
  await pollUntil('the pod to serve a gateway of the new authority', async () =>
    /^[0-9A-F]+$/.test(await serialSeenBy(next, port)),
  );
  assert.match(await serialSeenBy(old, port), /certificate/);
  const metrics = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text();
  const { validTo } = new X509Certificate(await readFile(join(own, 'tls.crt')));
  const line = `binnacle_certificate_expiry_timestamp_seconds{certificate="services"} ${Date.parse(validTo) / 1000}`;
  assert.ok(metrics.includes(line), line);
});
