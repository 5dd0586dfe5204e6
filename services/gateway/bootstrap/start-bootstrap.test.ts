import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalJson } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { type Storage, StorageError, type StorageRecord, type Transaction } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import type { BootstrapObject } from './ensure-objects.ts';
import { startBootstrap } from './start-bootstrap.ts';

test('without the store the bootstrap retries after growing pauses, and logs that once', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const attempts: number[] = [];
  const lines: string[] = [];
  let now = 0;
  const away = async (): Promise<never> => {
    attempts.push(now);
    throw new StorageError('unavailable', 'away');
  };
  using _bootstrap = startBootstrap({
    registry: createTypeRegistry(),
    storage: { get: away, transact: away, list: away, typeRevision: away },
    logger: { ...silentLogger, warn: (message: string) => void lines.push(message) },
    clock: () => now,
  } as unknown as Parameters<typeof startBootstrap>[0]); // No more is used of what fails at once.
  for (; now < 120_000; now += 100) {
    await new Promise(resolve => setImmediate(resolve));
    t.mock.timers.tick(100);
  }
  const times = [...new Set(attempts)];
  assert.ok(times.length <= 5 + 120_000 / 4_000, `${times.length} attempts`);
  assert.ok(times.length >= 120_000 / 8_000, `${times.length} attempts`);
  assert.equal(lines.length, 1);
});

test('a restored object is written only when it is missing or changed', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const records = new Map<string, StorageRecord>();
  const storage = recordsIn(records);
  const keyFromObject = ({ group, resource, namespace = '', name }: BootstrapObject) =>
    `/${group || 'core'}/${resource}/${namespace}/${name}`;
  using bootstrap = startBootstrap({
    registry: createTypeRegistry(),
    storage,
    logger: silentLogger,
    clock: () => 0,
    added: [brought],
    seenRevision: object => records.get(keyFromObject(object))?.revision ?? 0,
    repeatMs: 1e9,
  });
  await bootstrap.done;
  const pass = async () => {
    for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve));
    t.mock.timers.tick(2_000);
    for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve));
  };
  await pass();
  const all = [...records.keys()];
  const keyWith = (part: string): string => {
    const key = all.find(other => other.includes(part));
    assert.ok(key, part);
    return key;
  };
  const comeBack = ['/namespaces//default', '/flowschemas//probes', '/prioritylevelconfigurations//system'];
  const stayAway = ['/clusterroles//view', '/clusterrolebindings//cluster-admin', '/priorityclasses//'];
  for (const part of [...comeBack, ...stayAway]) records.delete(keyWith(part));
  const key = keyWith('/configmaps/default/brought');
  const made = records.get(key);
  assert.ok(made);
  const emptied = Buffer.from(Buffer.from(made.value).toString('latin1').replace('"b"', '"c"'), 'latin1');
  records.set(key, { ...made, value: emptied, revision: storage.next() });
  await pass();
  for (const part of comeBack) assert.ok(records.has(keyWith(part)), part);
  for (const part of stayAway) assert.ok(!records.has(keyWith(part)), part);
  assert.deepEqual(records.get(key)?.value, made.value);
  const reads = storage.reads();
  // An object that was brought up to date is looked at once more.
  await pass();
  await pass();
  assert.equal(storage.reads(), reads + 1);
});

/** A config map whose data is what it was made with, whatever is written into it. */
const brought: BootstrapObject = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace: 'default',
  name: 'brought',
  content: { metadata: {}, data: { a: 'b' } },
  comesBack: true,
  reconciled: undefined,
  bring: current => (equalJson(current['data'], { a: 'b' }) ? current : { ...current, data: { a: 'b' } }),
};

/** Storage as far as objects that must exist need it. */
function recordsIn(records: Map<string, StorageRecord>) {
  let revision = 0;
  let reads = 0;
  return {
    next: () => ++revision,
    reads: () => reads,
    async get(key: Parameters<Storage['get']>[0], _call: CallContext) {
      reads++;
      return { record: records.get(key), revision };
    },
    async transact({ puts, deletes }: Transaction, _call: CallContext) {
      revision++;
      for (const { key, value } of puts)
        records.set(key, { key, value: Buffer.from(value), revision } as StorageRecord); // It has no more.
      for (const key of deletes) records.delete(key);
      return { committed: true as const, revision };
    },
  };
}
