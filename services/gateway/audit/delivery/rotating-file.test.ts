import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { RotatingFile, type RotatingFileOptions } from './rotating-file.ts';

const directories: string[] = [];
let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
  directories.push(directory);
});
after(() => Promise.all(directories.map(each => rm(each, { recursive: true }))));

const start = Date.parse('2024-03-01T10:00:00.000Z');

function create(options: Partial<RotatingFileOptions> = {}) {
  const state = { now: start, failures: [] as unknown[] };
  const path = join(directory, 'audit.log');
  const file = new RotatingFile({
    path,
    maxBytes: 10,
    maxBackups: 0,
    maxAgeMs: 0,
    compress: false,
    clock: () => state.now,
    onBackupFailure: error => void state.failures.push(error),
    ...options,
  });
  return { file, path, state };
}

test('events are written as lines to a file that only its owner can read', async () => {
  const { file, path } = create({ maxBytes: 1000 });
  await file.write(['one', 'two']);
  await file.write(['three']);
  await file[Symbol.asyncDispose]();
  assert.equal(await readFile(path, 'utf8'), 'one\ntwo\nthree\n');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('an existing file gets the permissions of its owner only', async () => {
  const { file, path } = create();
  await writeFile(path, '');
  await chmod(path, 0o644);
  await file.write(['one']);
  await file[Symbol.asyncDispose]();
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('a full file becomes a backup with the time in its name', async () => {
  const { file, path, state } = create();
  await file.write(['1234567']);
  await file.write(['abc']);
  state.now += 1_000;
  await file.write(['longer than a file']);
  await file[Symbol.asyncDispose]();
  assert.deepEqual((await readdir(directory)).sort(), [
    'audit-2024-03-01T10-00-00.000.log',
    'audit-2024-03-01T10-00-01.000.log',
    'audit.log',
  ]);
  assert.equal(await readFile(join(directory, 'audit-2024-03-01T10-00-01.000.log'), 'utf8'), 'abc\n');
  assert.equal(await readFile(path, 'utf8'), 'longer than a file\n');
  assert.deepEqual(state.failures, []);
});

test('backups of the same moment have different names, and existing content counts toward the size', async () => {
  const { file, path } = create();
  await writeFile(path, '12345678\n');
  for (const text of ['aaaaaaaa', 'bbbbbbbb', 'c']) await file.write([text]);
  await file[Symbol.asyncDispose]();
  const texts = await Promise.all(
    (await readdir(directory)).sort().map(name => readFile(join(directory, name), 'utf8')),
  );
  assert.deepEqual(texts, ['12345678\n', 'aaaaaaaa\n', 'bbbbbbbb\n', 'c\n'].slice(0, texts.length));
  assert.equal(texts.length, 4);
});

test('backups beyond the number or age limit are removed, and other files are kept', async () => {
  const { file, state } = create({ maxBackups: 2, maxAgeMs: 5_000 });
  for (const name of [
    'audit-2024-03-01T09-00-00.000.log',
    'audit-notes.log',
    'other-2024-03-01T09-00-00.000.log',
  ])
    await writeFile(join(directory, name), 'x');
  for (let i = 0; i < 4; i++) {
    state.now += 1_000;
    await file.write(['12345678']);
  }
  await file[Symbol.asyncDispose]();
  assert.deepEqual((await readdir(directory)).sort(), [
    'audit-2024-03-01T10-00-03.000.log',
    'audit-2024-03-01T10-00-04.000.log',
    'audit-notes.log',
    'audit.log',
    'other-2024-03-01T09-00-00.000.log',
  ]);
});

test('backups are compressed, and only their owner can read them', async () => {
  const { file } = create({ compress: true });
  await file.write(['12345678']);
  await file.write(['abcdefgh']);
  await file[Symbol.asyncDispose]();
  const name = join(directory, 'audit-2024-03-01T10-00-00.000.log.gz');
  assert.equal(gunzipSync(await readFile(name)).toString(), '12345678\n');
  assert.equal((await stat(name)).mode & 0o777, 0o600);
  assert.equal((await readdir(directory)).length, 2);
});

test('an incomplete last line of a previous process is terminated', async () => {
  const { file, path } = create({ maxBytes: 1000 });
  await writeFile(path, '{"kind":"Event"}\n{"kind":"Ev');
  await file.write(['{}']);
  await file[Symbol.asyncDispose]();
  assert.equal(await readFile(path, 'utf8'), '{"kind":"Event"}\n{"kind":"Ev\n{}\n');
});

test('a missing folder fails writes until it exists', async () => {
  const path = join(directory, 'missing', 'audit.log');
  const { file } = create({ path });
  await assert.rejects(file.write(['lost']), { code: 'ENOENT' });
  await assert.rejects(file.write(['lost']), { code: 'ENOENT' });
  await mkdir(join(directory, 'missing'));
  await file.write(['kept']);
  await file[Symbol.asyncDispose]();
  assert.equal(await readFile(path, 'utf8'), 'kept\n');
});

test('a full disk fails the write', { skip: process.platform !== 'linux' }, async () => {
  const { file } = create({ path: '/dev/full' });
  await assert.rejects(file.write(['lost']), { code: 'ENOSPC' });
  await file[Symbol.asyncDispose]();
});

test('a file that cannot be renamed grows further, and the failure is reported', async () => {
  const { file, path, state } = create();
  await file.write(['12345678']);
  await rm(path);
  await file.write(['abcdefgh']);
  await file[Symbol.asyncDispose]();
  assert.equal(state.failures.length, 1);
});

test('a file that was truncated meanwhile is written further', async () => {
  const { file, path } = create({ maxBytes: 1000 });
  await file.write(['one']);
  await truncate(path, 0);
  await file.write(['two']);
  await file[Symbol.asyncDispose]();
  assert.equal(await readFile(path, 'utf8'), 'two\n');
});
