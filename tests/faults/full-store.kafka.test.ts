import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import { program } from '../clients/binnaclectl/start-binnaclectl.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { type ResumingWatch, startResumingWatch } from './resuming-watch.ts';

/** Room for what a new store holds, and some thirty large objects. */
const quotaBytes = 48 * 1024 * 1024;
const namespaces = '/api/v1/namespaces';
const collection = `${namespaces}/default/configmaps`;
const large = `${collection}/large`;

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let dataDirectory = '';
let form: Distributed;
let clients: readonly ApiClient[];
let watches: readonly ResumingWatch[];
const written: string[] = [];

before(async () => {
  directory = await createTemporaryDirectory();
  dataDirectory = join(directory.path, 'data');
  form = await startDistributed({
    dataDirectory,
    port: await findFreePort(),
    etcdQuotaBytes: quotaBytes,
    arguments: { 'controller-manager': ['--controllers=*,-root-ca-cert-publisher'] },
  });
  const configuration = loadClientConfiguration(form.adminConfiguration);
  clients = form.gateways.map(server =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'full-store' }),
  );
  watches = await Promise.all(clients.map(client => startResumingWatch(client, collection)));
});

after(async () => {
  await Promise.all((watches ?? []).map(watch => watch.stop()));
  await Promise.all((clients ?? []).map(client => client[Symbol.asyncDispose]()));
  await form?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

test('a full store is reported to clients and operators, and works without a restart after its repair', {
  timeout: 300_000,
}, async t => {
  const processes = [...form.processes.values()].map(({ name, pid }) => [name, pid]);
  await t.test('writes are accepted until the store is full', fill);
  await t.test(
    'every write is refused with the reason, deletions too, and reads and watches continue',
    refused,
  );
  await t.test('readiness, checks and metrics report the full store', toldToOperators);
  await t.test('binnaclectl repairs the store', mend);
  await t.test('everything works after the repair', hasRecovered);
  assert.deepEqual(
    [...form.processes.values()].map(({ name, pid }) => [name, pid]),
    processes,
  );
});

async function create(client: ApiClient, name: string): Promise<void> {
  await client.request({ method: 'POST', path: collection, body: { metadata: { name } } });
  written.push(name);
}

async function fill(): Promise<void> {
  const [client] = clients as [ApiClient]; // One for each gateway.
  await create(client, 'large');
  await create(client, 'small');
  for (let count = 0; ; count++) {
    const body = { data: { text: `${count}`.padEnd(900_000, 'x') } };
    const error = await client
      .request({ method: 'PATCH', path: large, body, contentType: 'application/merge-patch+json' })
      .then(() => undefined, codeAndMessage);
    // On a slow disk etcd may take longer than a write may wait for its outcome.
    if (error === undefined || /^504 .*outcome of the write is unknown/.test(error)) continue;
    assert.match(error, /^500 .*the store is full/);
    return;
  }
}

function codeAndMessage(error: unknown): string {
  return error instanceof StatusError ? `${error.code} ${error.message}` : String(error);
}

async function refused(): Promise<void> {
  for (const client of clients) {
    const attempts = [
      { method: 'POST', path: collection, body: { metadata: { name: 'refused' } } },
      { method: 'PATCH', path: `${collection}/small`, body: { data: { a: 'b' } } },
      { method: 'DELETE', path: `${collection}/small` },
      { method: 'DELETE', path: collection },
      { method: 'POST', path: namespaces, body: { metadata: { name: 'refused' } } },
    ] as const;
    for (const attempt of attempts) {
      const contentType = attempt.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      await assert.rejects(client.request({ ...attempt, contentType }), (error: unknown) => {
        assert.ok(error instanceof StatusError, String(error));
        assert.match(codeAndMessage(error), /^500 .*the store is full/, attempt.method);
        // Clients that are told to wait would repeat it for nothing.
        assert.equal(error.details?.retryAfterSeconds, undefined);
        return true;
      });
    }
    const { items } = await client.request<{ items: { metadata: { name: string } }[] }>({
      method: 'GET',
      path: collection,
    });
    const names = items.map(({ metadata }) => metadata.name);
    assert.ok(names.includes('large') && names.includes('small'), String(names));
  }
}

async function toldToOperators(): Promise<void> {
  const says = /^\[-\]store-space failed, not required: the store is full: it accepts no writes/m;
  for (const gateway of form.gateways) {
    const verbose = async () => (await fetchText(`${gateway}/readyz?verbose`)).text;
    await pollUntil(`${gateway} to say so`, async () => says.test(await verbose()));
    assert.equal((await fetchText(`${gateway}/readyz`)).code, 200, 'reads are served');
    assert.equal((await fetchText(`${gateway}/readyz/store-space`)).code, 500);
  }
  for (const name of ['storage-1', 'storage-2']) {
    const url = `http://127.0.0.1:${form.operationsPort(name)}`;
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    // The alert StoreFull fires by it.
    await pollUntil(`${name} to say so`, async () => /^binnacle_etcd_full 1$/m.test(await metrics()));
    assert.match(await (await fetch(`${url}/readyz?verbose`)).text(), says);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  }
}

async function mend(): Promise<void> {
  const file = (name: string) => join(dataDirectory, 'pki/backends/etcd/administrator', name);
  const access = [
    `--etcd-endpoints=${form.etcd.endpoint}`,
    `--etcd-cafile=${file('ca.crt')}`,
    `--etcd-certfile=${file('tls.crt')}`,
    `--etcd-keyfile=${file('tls.key')}`,
  ];
  const run = async (command: string) =>
    (await promisify(execFile)(program, ['store', command, ...access])).stdout;
  assert.match(await run('status'), /NOSPACE\n$/);
  assert.match(await run('compact'), /^compacted up to revision \d+\n$/);
  assert.match(await run('defragment'), /defragmented\n$/);
  assert.equal(await run('disarm'), 'alarms disarmed: 1\n');
  assert.match(await run('status'), / -\n$/);
}

async function hasRecovered(): Promise<void> {
  for (const gateway of form.gateways)
    await pollUntil(`${gateway} to say so`, async () =>
      /^\[\+\]store-space ok$/m.test((await fetchText(`${gateway}/readyz?verbose`)).text),
    );
  for (const [index, client] of clients.entries()) {
    await create(client, `after-${index}`);
    // Of the controllers one leads, or does so again.
    const name = `after-${index}`;
    await client.request({ method: 'POST', path: namespaces, body: { metadata: { name } } });
    await untilCode(client, `${namespaces}/${name}/serviceaccounts/default`, 200);
    await client.request({ method: 'DELETE', path: `${namespaces}/${name}` });
    await untilCode(client, `${namespaces}/${name}`, 404);
  }
  await (clients[0] as ApiClient).request({ method: 'DELETE', path: `${collection}/small` }); // One for each gateway.
  for (const watch of watches) {
    await pollUntil('what was written to be seen', () => watch.seen.length >= written.length);
    assert.deepEqual(watch.seen, written);
    assert.deepEqual(watch.failures, []);
  }
}

async function untilCode(client: ApiClient, path: string, code: number): Promise<void> {
  const requestCode = () =>
    client.request({ method: 'GET', path }).then(
      () => 200,
      (error: unknown) => (error instanceof StatusError ? error.code : 0),
    );
  await pollUntil(`${path} to be answered with ${code}`, async () => (await requestCode()) === code, {
    timeoutMs: 60_000,
  });
}

/** An answer of a gateway to an administrator. */
function fetchText(url: string): Promise<{ readonly code: number; readonly text: string }> {
  const { certificateAuthority, clientCertificate, clientKey } = loadClientConfiguration(
    form.adminConfiguration,
  );
  assert.ok(clientCertificate && clientKey);
  return new Promise((resolve, reject) => {
    const options = { ca: certificateAuthority, cert: clientCertificate, key: clientKey, agent: false };
    request(url, options, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ code: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
    })
      .on('error', reject)
      .end();
  });
}
