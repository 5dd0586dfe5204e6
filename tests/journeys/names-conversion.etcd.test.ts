import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { createMetrics, silentLogger } from '@binnacle/service-kit';
import { createStorageService } from '@binnacle/storage';
import { connectEtcd, createEtcdStorage, openEmbeddedStorage } from '@binnacle/storage/testing';
import { listPages, type Storage, type StorageRecord, storageKeyFrom } from '@binnacle/storage-contract';
import { putRecords, storeDirectory, unpackFixture } from '../stored-objects/fixture.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const program = resolve(import.meta.dirname, '../../bin/binnaclectl');
const prefix = '/conversion';
let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

function convert(to: Vocabulary): Promise<{ code: unknown; output: string }> {
  const args = [
    'names',
    'convert',
    `--to=${to}`,
    `--etcd-endpoints=${etcd.endpoint}`,
    `--etcd-prefix=${prefix}`,
  ];
  return new Promise(ended =>
    execFile(program, args, { maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      ended({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );
}

async function recordsOf(storage: Storage): Promise<StorageRecord[]> {
  const callOf = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });
  const found: StorageRecord[] = [];
  for (const below of ['/', '/_claims/'])
    for await (const { records } of listPages(storage, { prefix: storageKeyFrom(below) }, { callOf }))
      found.push(...records);
  return found;
}

const textsOf = (records: readonly StorageRecord[]) =>
  records.map(({ key, value }) => [key, Buffer.from(value).toString('latin1')] as const).toSorted();

test('a store of the release before in etcd is converted, and back without a difference', async () => {
  await using directory = await createTemporaryDirectory();
  await unpackFixture(directory.path);
  using connection = connectEtcd({ endpoints: [etcd.endpoint], prefix });
  const storage = createEtcdStorage(connection);
  {
    await using embedded = await openEmbeddedStorage({ directory: storeDirectory(directory.path) });
    await putRecords(storage, await recordsOf(embedded));
  }
  const first = textsOf(await recordsOf(storage));
  assert.ok(first.length > 100, `${first.length}`);
  const there = await convert('kubernetes');
  assert.equal(there.code, 0, there.output);
  assert.match(there.output, /^The store has --api-names=kubernetes now\.\nObjects written anew: \d{2,}/);
  const refused = await convert('kubernetes');
  assert.equal(
    refused.output,
    'The store has --api-names=kubernetes now.\nObjects written anew: 0, 0 of them under another key.\n',
  );
  const back = await convert('cluster');
  assert.equal(back.code, 0, back.output);
  assert.deepEqual(textsOf(await recordsOf(storage)), first);
});

test('a store that a storage service uses, or a gateway, is not converted', async () => {
  const other: Vocabulary = vocabulary === 'cluster' ? 'kubernetes' : 'cluster';
  const ready = await convert(vocabulary);
  assert.equal(ready.code, 0, ready.output);
  {
    await using _service = await createStorageService({
      backend: { kind: 'etcd', etcd: { endpoints: [etcd.endpoint], prefix } },
      log: silentLogger,
      metrics: createMetrics({ process: false }),
    });
    const { code, output } = await convert(other);
    assert.equal(output, 'error: the store is in use: a storage service leads\n');
    assert.equal(code, 1);
  }
  using connection = connectEtcd({ endpoints: [etcd.endpoint], prefix });
  const storage = createEtcdStorage(connection);
  const key = storageKeyFrom('/_servers/192.0.2.1:6443');
  const renew = () =>
    storage.transact(
      { preconditions: [], puts: [{ key, value: Buffer.from('192.0.2.1:6443') }], deletes: [] },
      { signal: new AbortController().signal, deadline: deadlineIn(10_000) },
    );
  await renew();
  const renewing = setInterval(() => void renew().catch(() => {}), 500);
  const { code, output } = await convert(other).finally(() => clearInterval(renewing));
  assert.equal(output, 'error: the store is in use: the gateway 192.0.2.1:6443 is alive\n');
  assert.equal(code, 1);
});
