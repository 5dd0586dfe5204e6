import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groups } from '@binnacle/api-names';
import { encodeStored } from '@binnacle/codecs';
import { deadlineIn } from '@binnacle/proto';
import { createStorageService, encryptionFromFlags, storageFlags } from '@binnacle/storage';
import { listPages, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { findMedian } from '../encoding/figures.ts';

// CPU time that encryption at rest adds to a write of a Secret and to a list of 10,000, on embedded stores of one process. The stores are
// measured in turn, run by run, so that what slows the machine slows all of them.

const objects = 10_000;
const writesOfRun = 400;
const runs = 5;
const providers = ['none', 'aescbc', 'aesgcm', 'secretbox'] as const;
const secrets = storageKeyFrom('/core/secrets/');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });

/** The stored bytes of a Secret with 1 KB of data. */
function createSecret(name: string): Uint8Array {
  return encodeStored({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default', uid: randomUUID(), creationTimestamp: '2026-01-01T00:00:00Z' },
    data: { token: randomBytes(700).toString('base64') },
    type: 'Opaque',
  });
}

const value = createSecret('measured');
const keyOf = (index: number) => storageKeyFrom(`/core/secrets/default/secret-${index}`);

/** Writes of many clients at a time, which the store commits together. */
async function write(storage: Storage, from: number, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      storage.transact(
        { preconditions: [], puts: [{ key: keyOf((from + index) % objects), value }], deletes: [] },
        call(),
      ),
    ),
  );
}

/** Fills a store, many objects in a transaction. */
async function fill(storage: Storage): Promise<void> {
  const atOnce = 100;
  for (let from = 0; from < objects; from += atOnce) {
    const puts = Array.from({ length: atOnce }, (_, index) => ({ key: keyOf(from + index), value }));
    await storage.transact({ preconditions: [], puts, deletes: [] }, call());
  }
}

async function list(storage: Storage): Promise<void> {
  let found = 0;
  for await (const { records } of listPages(storage, { prefix: secrets }, { nextCall: call }))
    found += records.length;
  if (found !== objects) throw new Error(`${found} objects are listed, not ${objects}`);
}

/** Microseconds of CPU of a piece of work. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const directory = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(directory, { recursive: true }));

async function openStore(provider: (typeof providers)[number]): Promise<Storage> {
  const file = join(directory, `${provider}.yaml`);
  const key = `{ name: a, secret: ${randomBytes(32).toString('base64')} }`;
  await writeFile(
    file,
    `{ apiVersion: ${groups.apiserverConfig}/v1, kind: EncryptionConfiguration, resources: [{ resources: [secrets], providers: [{ ${provider}: { keys: [${key}] } }] }] }`,
    { mode: 0o600 },
  );
  const flags = {
    encryptionProviderConfig: provider === 'none' ? undefined : file,
    encryptionProviderConfigAutomaticReload: false,
    featureGates: storageFlags.featureGates.parse([]),
  };
  const encryption = await encryptionFromFlags(flags, true);
  const service = stack.use(
    await createStorageService({
      backend: { kind: 'embedded', directory: join(directory, provider) },
      ...(encryption && { encryption }),
      log: silentLogger,
      metrics: createMetrics({ process: false }),
    }),
  );
  return service.storage;
}

const stores = await Promise.all(
  providers.map(async provider => ({
    provider,
    storage: await openStore(provider),
    writes: [] as number[],
    lists: [] as number[],
  })),
);
for (const { storage } of stores) await fill(storage);
for (let run = 0; run <= runs; run++)
  for (const { storage, writes, lists } of stores) {
    const writing = await cpuOf(() => write(storage, run * writesOfRun, writesOfRun));
    const listing = await cpuOf(() => list(storage));
    // The first run warms up.
    if (run > 0) writes.push(writing / writesOfRun);
    if (run > 0) lists.push(listing / objects);
  }

process.stdout.write(`a Secret has ${value.length} bytes; CPU in µs, the median of ${runs} runs\n`);
const [plain] = stores;
for (const { provider, writes, lists } of stores) {
  const [writing, listing] = [findMedian(writes), findMedian(lists)];
  const more = (cost: number, base: readonly number[]) =>
    `${cost.toFixed(1)} (${(cost - findMedian(base)).toFixed(1)} more)`;
  process.stdout.write(
    `${provider.padEnd(10)} a write ${more(writing, plain?.writes ?? [])}, an object of a list ${more(listing, plain?.lists ?? [])}\n`,
  );
}
