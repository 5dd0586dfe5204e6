import assert from 'node:assert/strict';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';
import { deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, type Logger } from '@binnacle/telemetry';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { searchStoredValues } from '../store-form/stored-values.ts';
import { encryptAtRest, readEncryptionSettings } from './encryption-at-rest.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
after(() => rm(directory, { recursive: true }));
const file = join(directory, 'encryption.yaml');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });
const key = storageKeyFrom('/core/secrets/default/a');

/** Writes the file as a whole, as a mounted Secret is replaced. */
async function configure(providers: string): Promise<void> {
  await writeFile(
    `${file}.new`,
    `apiVersion: ${groups.apiserverConfig}/v1\nkind: EncryptionConfiguration\nresources:\n- { resources: [secrets], providers: [${providers}] }\n`,
    { mode: 0o600 },
  );
  await rename(`${file}.new`, file);
}

const keys = (...names: string[]): string =>
  `{ aesgcm: { keys: [${names.map(name => `{ name: ${name}, secret: ${Buffer.alloc(32, name).toString('base64')} }`)}] } }`;

function collectLog() {
  const lines: string[] = [];
  const note = (message: string, fields = {}): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
  return { log, lines };
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (!(await isDone())) {
    assert.ok(performance.now() < giveUpAt, 'the state is reached');
    await pause(10);
  }
}

test('a changed file counts without a restart, and one that cannot be used changes nothing', async () => {
  await using store = await openEmbeddedStorage({ directory: join(directory, 'store') });
  await configure(keys('a'));
  const settings = await readEncryptionSettings({
    file,
    hasEncryptedFeed: true,
    reloads: true,
    hasKmsV2: false,
  });
  const metrics = createMetrics({ process: false });
  const { log, lines } = collectLog();
  await using encryption = encryptAtRest({
    ...{ storage: store, settings, log, metrics, everyMs: 10 },
    beforeTypes: async () => {},
  });
  const { storage } = encryption;
  const storedWith = async (): Promise<string> => {
    await storage.transact(
      { preconditions: [], puts: [{ key, value: Buffer.from('value') }], deletes: [] },
      call(),
    );
    const { record } = await store.get(key, call());
    return Buffer.from(record?.value ?? [])
      .toString('latin1')
      .slice(0, 'k8s:enc:aesgcm:v1:a:'.length);
  };
  assert.equal(await storedWith(), 'k8s:enc:aesgcm:v1:a:');
  await configure('{ aesgcm: { keys: [] } }');
  await until(() => lines.some(line => line.startsWith('cannot use the new encryption configuration')));
  assert.equal(await storedWith(), 'k8s:enc:aesgcm:v1:a:');
  await rm(file);
  await until(() => lines.some(line => line.includes('ENOENT')));
  assert.equal(await storedWith(), 'k8s:enc:aesgcm:v1:a:');
  await configure(keys('b', 'a'));
  await until(async () => (await storedWith()) === 'k8s:enc:aesgcm:v1:b:');
  const { body } = await metrics.render();
  const prefix = 'apiserver_encryption_config_controller_automatic_reload';
  assert.match(body, new RegExp(`${prefix}_success_total 1`));
  assert.match(body, new RegExp(`${prefix}_failures_total 2`));
  assert.match(body, new RegExp(`${prefix}_last_timestamp_seconds\\{status="success"\\} 1[0-9]{9}`));
  assert.ok(!lines.join().includes(Buffer.alloc(32, 'b').toString('base64')), 'no key is logged');
});

test('a changed file that encrypts a type is used only once the store names the type', async () => {
  await using store = await openEmbeddedStorage({ directory: join(directory, 'named') });
  await configure('identity: {}');
  const settings = await readEncryptionSettings({
    ...{ file, hasEncryptedFeed: true, reloads: true, hasKmsV2: false },
  });
  const { log, lines } = collectLog();
  let isAway = true;
  const named: (readonly string[])[] = [];
  await using encryption = encryptAtRest({
    ...{ storage: store, settings, log, metrics: createMetrics({ process: false }), everyMs: 10 },
    beforeTypes: async types => {
      if (isAway) throw new Error('the store is away');
      named.push(types.encrypted);
    },
  });
  const isEncrypting = async (): Promise<boolean> => {
    const puts = [{ key, value: Buffer.from('value') }];
    await encryption.storage.transact({ preconditions: [], puts, deletes: [] }, call());
    const { record } = await store.get(key, call());
    return Buffer.from(record?.value ?? []).includes('k8s:enc:aesgcm');
  };
  await configure(keys('a'));
  await until(() => lines.some(line => line.includes('the store is away')));
  assert.equal(await isEncrypting(), false);
  isAway = false;
  await until(isEncrypting);
  assert.deepEqual(named, [['/core/secrets/']]);
});

test('a changed file that lacks the key of a stored value is refused once in the log, and used when no value needs the key', async () => {
  await using store = await openEmbeddedStorage({ directory: join(directory, 'lacking') });
  await configure(keys('b', 'a'));
  const settings = await readEncryptionSettings({
    ...{ file, hasEncryptedFeed: true, reloads: true, hasKmsV2: false },
  });
  const { log, lines } = collectLog();
  const metrics = createMetrics({ process: false });
  let looks = 0;
  await using encryption = encryptAtRest({
    ...{ storage: store, settings, log, metrics, everyMs: 10 },
    async beforeTypes(types) {
      looks++;
      await searchStoredValues(store, types, new AbortController().signal);
    },
  });
  const value = Buffer.from('k8s:enc:aesgcm:v1:a:0123456789012345678901234567890');
  await store.transact({ preconditions: [], puts: [{ key, value }], deletes: [] }, call());
  await configure(keys('b'));
  await until(() => looks > 3);
  const refusals = lines.filter(line => line.startsWith('cannot use the new encryption configuration'));
  assert.equal(refusals.length, 1);
  assert.match(
    refusals[0] ?? '',
    /the value of \/core\/secrets\/default\/a needs the provider aesgcm with a key/,
  );
  const reloads = async () => {
    const { body } = await metrics.render();
    return ['success', 'failures'].map(result =>
      Number(new RegExp(`automatic_reload_${result}_total (\\d+)`).exec(body)?.[1] ?? 0),
    );
  };
  assert.deepEqual(await reloads(), [0, 1]);
  const puts = [{ key, value: Buffer.from('value') }];
  await encryption.storage.transact({ preconditions: [], puts, deletes: [] }, call());
  await until(async () => (await reloads())[0] === 1);
});

test('a value that cannot be decrypted is logged with its key, once', async () => {
  await using store = await openEmbeddedStorage({ directory: join(directory, 'unreadable') });
  await configure(keys('a'));
  const settings = await readEncryptionSettings({
    file,
    hasEncryptedFeed: true,
    reloads: false,
    hasKmsV2: false,
  });
  const { log, lines } = collectLog();
  await using encryption = encryptAtRest({
    storage: store,
    settings,
    beforeTypes: async () => {},
    log,
    metrics: createMetrics({ process: false }),
  });
  const value = Buffer.from('k8s:enc:aesgcm:v1:gone:0123456789012345678901234567890');
  await store.transact({ preconditions: [], puts: [{ key, value }], deletes: [] }, call());
  for (let times = 0; times < 3; times++) await assert.rejects(encryption.storage.get(key, call()));
  const logged = lines.filter(line => line.startsWith('a stored value cannot be decrypted'));
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /"key":"\/core\/secrets\/default\/a"/);
});

test('a file that others may read is used with a warning', async () => {
  await configure(keys('a'));
  await chmod(file, 0o644);
  const settings = await readEncryptionSettings({
    file,
    hasEncryptedFeed: true,
    reloads: false,
    hasKmsV2: false,
  });
  assert.equal(settings.isShared, true);
});

test('a change feed without keys is refused where something is encrypted, and only there', async () => {
  await configure(keys('a'));
  const read = () =>
    readEncryptionSettings({ file, hasEncryptedFeed: false, reloads: false, hasKmsV2: false });
  await assert.rejects(read(), /set --feed-key-file/);
  await configure(`identity: {}, ${keys('a')}`);
  assert.equal((await read()).hasEncryptedFeed, false);
});
