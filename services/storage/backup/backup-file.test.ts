import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Refusal } from '@binnacle/backend-access';
import { type StorageRecord, storageKeyFrom } from '@binnacle/storage-contract';
import { makeTestFolder, storedConfigMap } from '../test-drivers/stored-samples.ts';
import { findBackupName, pruneBackups } from './backup-folder.ts';
import { readBackup } from './read-backup.ts';
import { writeBackupFile } from './write-backup.ts';

const folder = await makeTestFolder();
let files = 0;

const header = {
  apiNames: 'cluster',
  form: { form: 1, usableFrom: 1, release: 'v0' },
  store: 'embedded',
  revision: 2 ** 50,
  takenAt: Date.parse('2026-11-27T12:00:00Z'),
  release: 'v0',
} as const;

const record = (key: string, value: Uint8Array, revision = 1): StorageRecord => ({
  key: storageKeyFrom(key),
  value,
  revision,
});
const object = (name: string, text: string, revision?: number) =>
  record(`/core/configmaps/default/${name}`, storedConfigMap(name, text), revision);
const reservation = record(
  '/_claims/services/cluster-ip/10.96.0.1',
  Buffer.from('/core/services/default/a'),
  2 ** 49,
);

async function* inPages(records: readonly StorageRecord[]) {
  for (const each of records) yield [each];
}

async function write(records: readonly StorageRecord[]): Promise<string> {
  const path = join(folder, `${files++}.backup`);
  await writeBackupFile(path, { header, records: inPages(records) });
  return path;
}

const isRefused = (message: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof Refusal, String(thrown));
  assert.match(thrown.message, message);
  assert.doesNotMatch(thrown.message, /\n/);
  return true;
};

test('a backup of any number of blocks is read as it was written', async () => {
  for (const records of [
    [],
    [reservation],
    [reservation, object('a', 'ö☃'), object('b', '')],
    Array.from({ length: 40 }, (_, index) =>
      object(String.fromCharCode(0x41 + index), 'x'.repeat(100_000), index + 1),
    ),
  ]) {
    const path = await write(records);
    const found: StorageRecord[] = [];
    const summary = await readBackup(path, each => void found.push(...each));
    assert.deepEqual(
      found,
      records.map(each => ({ ...each, value: new Uint8Array(each.value) })),
    );
    assert.equal(summary.records, records.length);
    assert.deepEqual(summary.header, header);
    const { size, mode } = await stat(path);
    assert.equal(summary.bytes, size);
    assert.equal(mode & 0o777, 0o600);
  }
});

test('the checksum covers all bytes before it', async () => {
  const path = await write([object('a', 'text')]);
  const bytes = await readFile(path);
  const sum = await crypto.subtle.digest('SHA-256', bytes.subarray(0, -32));
  assert.equal((await readBackup(path)).sha256, Buffer.from(sum).toString('hex'));
  assert.deepEqual(Buffer.from(sum), bytes.subarray(-32));
});

test('a file with any bit changed or truncated anywhere is refused', async () => {
  const path = await write([reservation, object('a', 'text')]);
  const bytes = await readFile(path);
  const changed = join(folder, 'changed');
  for (let at = 0; at < bytes.length; at++) {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << (at % 8)), at);
    await writeFile(changed, copy);
    await assert.rejects(
      readBackup(changed),
      isRefused(/changed (is|has|holds|cannot be used:) /),
      `bit of byte ${at}`,
    );
    await writeFile(changed, bytes.subarray(0, at));
    await assert.rejects(
      readBackup(changed),
      isRefused(/changed is (truncated|not a backup)$/),
      `cut at ${at}`,
    );
  }
  await writeFile(changed, Buffer.concat([bytes, Buffer.of(0)]));
  await assert.rejects(readBackup(changed), isRefused(/has data after its end$/));
});

test('a file that is not a backup, or of a later release, is refused by name', async () => {
  const path = join(folder, 'other');
  await assert.rejects(readBackup(path), isRefused(/other cannot be read: ENOENT/));
  await assert.rejects(readBackup(folder), isRefused(/is not a file$/));
  await writeFile(path, '{"format":"other"}\n');
  await assert.rejects(readBackup(path), isRefused(/other is not a backup$/));
  await writeFile(path, '{"format":"binnacle-backup","version":2}\n');
  await assert.rejects(
    readBackup(path),
    isRefused(/has version 2 of the format of backups: this release reads version 1$/),
  );
});

test('a backup of a store whose form is newer is refused, and one that names no form has form 1', async () => {
  const path = await write([reservation]);
  const bytes = await readFile(path);
  const withForm = async (form: object | undefined) => {
    const end = bytes.indexOf('\n');
    const said = JSON.stringify({ ...JSON.parse(bytes.subarray(0, end).toString()), form });
    const body = Buffer.concat([Buffer.from(`${said}\n`), bytes.subarray(end + 1, -32)]);
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
    await writeFile(path, Buffer.concat([body, sum]));
    return readBackup(path);
  };
  await assert.rejects(
    withForm({ form: 2, usableFrom: 2, release: '9.9.9' }),
    isRefused(
      /cannot be used: its store has form 2 of release 9\.9\.9, and release 0\.1\.0 uses form 1: run /,
    ),
  );
  await assert.rejects(withForm({ form: 'two' }), isRefused(/cannot be used: the form .* cannot be read/));
  assert.equal((await withForm({ form: 2, usableFrom: 1, release: '9.9.9' })).header.form.form, 2);
  assert.equal((await withForm(undefined)).header.form.form, 1);
});

test('invalid records are refused although the checksum is right', async () => {
  const broken: [records: StorageRecord[], message: RegExp][] = [
    [[object('b', ''), object('a', '')], /default\/a is out of order$/],
    [[object('a', ''), object('a', '')], /default\/a is out of order$/],
    [[object('a', ''), reservation], /10\.96\.0\.1 is out of order$/],
    [[object('a', '', 2 ** 50 + 1)], /default\/a has the revision 1125899906842625$/],
    [
      [record('/core/configmaps/default/a', Buffer.from('{}'))],
      /an object that cannot be read, \/core\/configmaps\/default\/a/,
    ],
  ];
  for (const [records, message] of broken)
    await assert.rejects(readBackup(await write(records)), isRefused(message));
});

test('an existing file is not replaced, and an incomplete one is removed', async () => {
  const path = await write([reservation]);
  const before = await readFile(path);
  await assert.rejects(
    writeBackupFile(path, { header, records: inPages([]) }),
    isRefused(/exists already: name a new file$/),
  );
  assert.deepEqual(await readFile(path), before);
  const names = await readdir(folder);
  async function* broken() {
    yield [reservation];
    throw new Error('the store is gone');
  }
  await assert.rejects(
    writeBackupFile(join(folder, 'new'), { header, records: broken() }),
    /the store is gone/,
  );
  assert.deepEqual(await readdir(folder), names);
});

test('only the oldest backups of a folder are removed', async () => {
  const own = join(folder, 'scheduled');
  const times = [3, 1, 2, 4].map(day => Date.parse(`2026-11-0${day}T12:00:00.5Z`));
  const paths: string[] = [];
  for (const takenAt of times) {
    const path = await findBackupName(own, { ...header, takenAt });
    paths.push(path);
    await copyFile(await write([reservation]), path);
  }
  assert.equal(paths[0], join(own, `binnacle-20261103T120000Z-${2 ** 50}.backup`));
  for (const name of ['before-upgrade.backup', 'binnacle-20200101T000000Z-1.backup.txt'])
    await writeFile(join(own, name), '');
  assert.deepEqual(await pruneBackups(own, 4), []);
  assert.deepEqual(await pruneBackups(own, 2), [paths[1], paths[2]]);
  const left = await readdir(own);
  assert.deepEqual(left.toSorted(), [
    'before-upgrade.backup',
    'binnacle-20200101T000000Z-1.backup.txt',
    `binnacle-20261103T120000Z-${2 ** 50}.backup`,
    `binnacle-20261104T120000Z-${2 ** 50}.backup`,
  ]);
});
