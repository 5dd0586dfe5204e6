import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDataFolder } from './data-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-data-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'file');
writeFileSync(file, '');

const refusal = (message: string | RegExp) => ({ name: 'Refusal', message });

test('a missing folder is created with its parents for their owner only, an existing one is used', async () => {
  const deep = join(folder, 'a/b/c');
  for (let time = 0; time < 2; time++) await makeDataFolder(deep, '--data-dir');
  for (const path of ['a', 'a/b', 'a/b/c']) assert.equal(statSync(join(folder, path)).mode & 0o777, 0o700);
});

test('several processes can create the same folder at once', async () => {
  const paths = Array.from({ length: 5 }, () => makeDataFolder(join(folder, 'shared/data'), '--data-dir'));
  await Promise.all(paths);
});

test('a path that is or contains a file is refused', async () => {
  const message = `--data-dir: ${file} is not a folder`;
  await assert.rejects(makeDataFolder(file, '--data-dir'), refusal(message));
  await assert.rejects(makeDataFolder(join(file, 'below/it'), '--data-dir'), refusal(message));
});

test('a path where no folder can be created is refused', { timeout: 10_000 }, async () => {
  await assert.rejects(
    makeDataFolder('/proc/none/of/these', '--data-dir'),
    refusal(
      '--data-dir: the folder /proc/none cannot be created: the file system does not allow folders there',
    ),
  );
});
