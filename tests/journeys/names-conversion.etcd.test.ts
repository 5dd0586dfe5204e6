import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { createStorageService } from '@binnacle/storage';
import {
  connectEtcd,
  createEtcdStorage,
  lockedPrefix,
  openEmbeddedStorage,
  useLockedEtcd,
} from '@binnacle/storage/testing';
import { listPages, type Storage, type StorageRecord, storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { putRecords, storeDirectory, unpackFixture } from '../stored-objects/fixture.ts';
import { runBinnaclectl } from './setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const prefix = '/conversion';
let etcd: EtcdServer;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

const locked = useLockedEtcd();

/** Which store the command is given; by default the one that asks for no credentials. */
interface StoreGiven {
  readonly flags?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

async function convert(to: Vocabulary, given: StoreGiven = {}): Promise<{ code: number; output: string }> {
  const own = [`--etcd-endpoints=${etcd.endpoint}`, `--etcd-prefix=${prefix}`];
  const args = ['names', 'convert', `--to=${to}`, ...(given.flags ?? own)];
  const { code, out, err } = await runBinnaclectl(args, { env: { ...process.env, ...given.variables } });
  return { code, output: out + err };
}

async function readRecords(storage: Storage): Promise<StorageRecord[]> {
  const nextCall = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });
  const found: StorageRecord[] = [];
  for (const below of ['/', '/_claims/'])
    for await (const { records } of listPages(storage, { prefix: storageKeyFrom(below) }, { nextCall }))
      found.push(...records);
  return found;
}

const formatTexts = (records: readonly StorageRecord[]) =>
  records.map(({ key, value }) => [key, Buffer.from(value).toString('latin1')] as const).toSorted();

test('an etcd store of the previous release is converted, and back to the same bytes', async () => {
  await using directory = await createTemporaryDirectory();
  await unpackFixture(directory.path);
  using connection = connectEtcd({ endpoints: [etcd.endpoint], prefix });
  const storage = createEtcdStorage(connection);
  {
    await using embedded = await openEmbeddedStorage({ directory: storeDirectory(directory.path) });
    await putRecords(storage, await readRecords(embedded));
  }
  const first = formatTexts(await readRecords(storage));
  assert.ok(first.length > 100, `${first.length}`);
  const there = await convert('kubernetes');
  assert.equal(there.code, 0, there.output);
  assert.match(there.output, /^The store has --api-names=kubernetes now\.\nObjects rewritten: \d{2,}/);
  const refused = await convert('kubernetes');
  assert.equal(
    refused.output,
    'The store has --api-names=kubernetes now.\nObjects rewritten: 0, 0 of them under another key.\n',
  );
  const back = await convert('cluster');
  assert.equal(back.code, 0, back.output);
  assert.deepEqual(formatTexts(await readRecords(storage)), first);
});

test('a store in use by storage or a gateway is not converted', async () => {
  const other: Vocabulary = vocabulary === 'cluster' ? 'kubernetes' : 'cluster';
  const ready = await convert(vocabulary);
  assert.equal(ready.code, 0, ready.output);
  {
    const leads = Promise.withResolvers<void>();
    await using _service = await createStorageService({
      backend: { kind: 'etcd', etcd: { endpoints: [etcd.endpoint], prefix } },
      log: silentLogger,
      metrics: createMetrics({ process: false }),
      onLeading: isLeading => isLeading && leads.resolve(),
    });
    await leads.promise;
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

test('a store in etcd with TLS and users is converted, by flags and by variables of storage', async () => {
  const { server, passwordFile, findFiles, withPassword } = locked();
  const own = lockedPrefix + prefix;
  const other: Vocabulary = vocabulary === 'cluster' ? 'kubernetes' : 'cluster';
  using connection = connectEtcd(await withPassword(prefix));
  const storage = createEtcdStorage(connection);
  const key = storageKeyFrom('/core/configmaps/default/a');
  const value = Buffer.from('value');
  await storage.transact(
    { preconditions: [], puts: [{ key, value }], deletes: [] },
    { signal: new AbortController().signal, deadline: deadlineIn(10_000) },
  );
  const textsOfStore = async () => formatTexts(await readRecords(storage));
  const first = await textsOfStore();

  const tls = findFiles('storage');
  const place = [`--etcd-endpoints=${server.endpoint}`, `--etcd-prefix=${own}`];
  const trust = [
    `--etcd-cafile=${tls.caFile}`,
    `--etcd-certfile=${tls.certFile}`,
    `--etcd-keyfile=${tls.keyFile}`,
  ];
  const user = ['--etcd-username=storage', `--etcd-password-file=${passwordFile}`];
  // The store of a deployment from before there was a setting has the names of cluster.
  const ready = await convert(vocabulary, { flags: [...place, ...trust, ...user] });
  assert.equal(ready.code, 0, ready.output);
  const there = await convert(other, { flags: [...place, ...trust, ...user, '--etcd-max-txn-ops=64'] });
  assert.match(there.output, new RegExp(`^The store has --api-names=${other} now`));

  const certificate = findFiles('by-certificate');
  const variables = {
    BINNACLE_ETCD_ENDPOINTS: server.endpoint,
    BINNACLE_ETCD_PREFIX: own,
    BINNACLE_ETCD_CAFILE: certificate.caFile,
    BINNACLE_ETCD_CERTFILE: certificate.certFile,
    BINNACLE_ETCD_KEYFILE: certificate.keyFile,
  };
  const back = await convert(vocabulary, { flags: [], variables });
  assert.match(back.output, new RegExp(`^The store has --api-names=${vocabulary} now`));
  assert.deepEqual(await textsOfStore(), first);

  const refusals: [flags: readonly string[], message: RegExp][] = [
    [[...place, ...trust], /^error: etcd denies this service an operation/],
    [
      [...place, ...trust, '--etcd-username=storage'],
      /^error: --etcd-username and --etcd-password-file must be given together/,
    ],
    [[...place, ...trust, ...user, '--etcd-max-txn-ops=x'], /^error: --etcd-max-txn-ops /],
    [[], /^error: one of --data-dir and --etcd-endpoints must be given/],
    [[...place, '--data-dir=.'], /^error: one of --data-dir and --etcd-endpoints must be given/],
  ];
  for (const [flags, message] of refusals) {
    const { code, output } = await convert(other, { flags });
    assert.match(output, message);
    assert.equal(code, 1);
  }
});
