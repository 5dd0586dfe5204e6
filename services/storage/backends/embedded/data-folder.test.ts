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

test('a folder is made with those above it, for their owner alone, and may be there', async () => {
  const deep = join(folder, 'a/b/c');
  for (let time = 0; time < 2; time++) await makeDataFolder(deep, '--data-dir');
  for (const path of ['a', 'a/b', 'a/b/c']) assert.equal(statSync(join(folder, path)).mode & 0o777, 0o700);
});

test('several processes that make the same folder at once all have it', async () => {
  const paths = Array.from({ length: 5 }, () => makeDataFolder(join(folder, 'shared/data'), '--data-dir'));
  await Promise.all(paths);
});

test('a path that is a file, or goes through one, is refused', async () => {
  const message = `--data-dir: ${file} is not a folder`;
  await assert.rejects(makeDataFolder(file, '--data-dir'), refusal(message));
  await assert.rejects(makeDataFolder(join(file, 'below/it'), '--data-dir'), refusal(message));
});

test('a path where no folder can be made is refused at once', { timeout: 10_000 }, async () => {
  await assert.rejects(
    makeDataFolder('/proc/none/of/these', '--data-dir'),
    refusal('--data-dir: the folder /proc/none cannot be made: the file system makes no folders there'),
  );
});
