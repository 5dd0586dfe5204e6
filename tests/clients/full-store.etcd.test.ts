import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { findFreePort, pollUntil, startEtcd, startManagedProcess } from '@binnacle/backends';
import { deadlineIn, storageContract } from '@binnacle/proto';
import { connectRpc } from '@binnacle/rpc';
import { connectEtcd } from '@binnacle/storage/testing';
import { isStorageError, remoteStorage, type StorageError, storageKeyFrom } from '@binnacle/storage-contract';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { program } from './binnaclectl/start-binnaclectl.ts';

const repository = resolve(import.meta.dirname, '../..');
const quotaBytes = 16 * 1024 * 1024;
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(20_000) });

/** Runs a command of binnaclectl that must succeed; gives its output. */
function succeed(...args: string[]): Promise<string> {
  return new Promise((succeeded, failed) =>
    execFile(program, args, (error, stdout, stderr) =>
      error === null ? succeeded(stdout) : failed(new Error(`${error.message}${stderr}`)),
    ),
  );
}

test('a full store is reported before and when it is full, and repaired with binnaclectl', async t => {
  await using stack = new AsyncDisposableStack();
  const etcd = stack.use(await startEtcd({ quotaBytes }));
  const directory = await createTemporaryDirectory();
  stack.defer(() => directory[Symbol.asyncDispose]());
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${operationsPort}`;
  const fetchText = async (path: string) => (await fetch(`${url}${path}`)).text();
  const logFile = join(directory.path, 'storage.log');
  stack.use(
    await startManagedProcess({
      name: 'storage-1',
      command: process.execPath,
      arguments: [
        join(repository, 'services/storage/main.ts'),
        ...['--insecure', `--port=${port}`, `--operations-port=${operationsPort}`, '--change-feed=direct'],
        ...[`--etcd-endpoints=${etcd.endpoint}`, `--etcd-quota-backend-bytes=${quotaBytes}`],
      ],
      logFile,
      ready: signal =>
        pollUntil('storage to be ready', async () => (await fetchText('/readyz')) === 'ok', { signal }),
    }),
  );
  const client = connectRpc(storageContract, { addresses: [`127.0.0.1:${port}`], insecure: true });
  const storage = remoteStorage(stack.use(client));
  const key = storageKeyFrom('/core/configmaps/ns/large');
  const write = async () =>
    (
      await storage.transact(
        { preconditions: [], puts: [{ key, value: Buffer.alloc(700_000, 'x') }], deletes: [] },
        call(),
      )
    ).revision;
  const remove = () => storage.transact({ preconditions: [], puts: [], deletes: [key] }, call());
  const space = async () => (await storage.space?.(call()))!; // A store behind a service has it.

  let acknowledged = 0;
  await t.test('a nearly full store is reported', async () => {
    assert.doesNotMatch(await fetchText('/readyz?verbose'), /store-space failed/);
    while (!(await isNearlyFull(etcd.endpoint))) acknowledged = await write();
    await pollUntil('storage to have seen it', async () => (await space()).sizeBytes >= 0.8 * quotaBytes);
    assert.match(
      await fetchText('/readyz?verbose'),
      /^\[-\]store-space failed, not required: the store uses \d+% of its quota$/m,
    );
    assert.equal(await fetchText('/readyz'), 'ok');
  });

  await t.test('a full store is reported', async () => {
    let refused: StorageError | undefined;
    while (refused === undefined)
      await write().then(
        revision => {
          acknowledged = revision;
        },
        thrown => {
          assert.ok(isStorageError(thrown), String(thrown));
          refused = thrown;
        },
      );
    assert.equal(refused.kind, 'full');
    // A write that frees nothing is refused too: a deletion is written as well.
    await assert.rejects(remove(), { kind: 'full' });
    assert.equal((await storage.get(key, call())).record?.revision, acknowledged);
    await pollUntil('storage to have seen it', async () => (await space()).isFull);
    assert.match(
      await fetchText('/readyz?verbose'),
      /^\[-\]store-space failed, not required: the store is full: it accepts no writes/m,
    );
    assert.equal((await fetch(`${url}/readyz/store-space`)).status, 500);
    const metrics = await fetchText('/metrics');
    assert.match(metrics, /^binnacle_etcd_full 1$/m);
    assert.match(metrics, new RegExp(`^binnacle_etcd_quota_bytes ${quotaBytes}$`, 'm'));
    assert.match(metrics, /^binnacle_etcd_database_bytes\{endpoint="[^"]+"\} \d+$/m);
    // Nor is a leader elected: what the runbook warns of.
    using connection = connectEtcd({ endpoints: [etcd.endpoint], prefix: '/binnacle' });
    await assert.rejects(connection.grantLease(5, call()), /database space exceeded/);
    for (let count = 0; count < 20; count++) await assert.rejects(write(), { kind: 'full' });
    const told = readFileSync(logFile, 'utf8')
      .split('\n')
      .filter(line => /"message":"etcd is (nearly )?full/.test(line));
    assert.equal(told.length, 2, told.join('\n'));
  });

  await t.test('binnaclectl repairs the store', async () => {
    const endpoints = `--etcd-endpoints=${etcd.endpoint}`;
    assert.match(await succeed('store', 'status', endpoints), /MiB.*NOSPACE\n$/);
    assert.match(await succeed('store', 'compact', endpoints), /^compacted up to revision \d+\n$/);
    assert.equal(await succeed('store', 'defragment', endpoints), `${etcd.endpoint} defragmented\n`);
    assert.equal(await succeed('store', 'disarm', endpoints), 'alarms disarmed: 1\n');
    assert.match(await succeed('store', 'status', endpoints), / -\n$/);
    assert.equal(await succeed('store', 'disarm', endpoints), 'no alarm was raised\n');
    assert.ok((await write()) > acknowledged);
    await remove();
    await pollUntil('storage to have seen it', async () => !(await space()).isFull);
    assert.match(await fetchText('/readyz?verbose'), /^\[\+\]store-space ok$/m);
    assert.match(readFileSync(logFile, 'utf8'), /"message":"etcd has space again"/);
  });
});

/** Whether etcd itself says that its database has come to four fifths of the quota. */
async function isNearlyFull(endpoint: string): Promise<boolean> {
  const metrics = await (await fetch(`${endpoint}/metrics`)).text();
  const bytes = Number(/^etcd_mvcc_db_total_size_in_bytes (\S+)$/m.exec(metrics)?.[1]);
  return bytes >= 0.8 * quotaBytes;
}
