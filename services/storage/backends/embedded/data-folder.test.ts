import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { makeDataFolder, usingDataFolder } from './data-folder.ts';

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

suite('work on the files of a data folder', () => {
  const using = (work: () => Promise<unknown>) => usingDataFolder(folder, { setting: '--data-dir', work });

  test('is refused with the owner of a file that belongs to another user', async () => {
    const foreign = join(folder, 'foreign');
    writeFileSync(foreign, '');
    // The superuser may read everything, and only the superuser can give a file away.
    const isRoot = process.getuid?.() === 0;
    const [path, within] = isRoot ? [foreign, folder] : ['/etc/passwd', '/etc'];
    if (isRoot) chownSync(foreign, 4321, 4321);
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path });
    await assert.rejects(
      usingDataFolder(within, { setting: '--data-dir', work: () => Promise.reject(denied) }),
      refusal(
        `--data-dir: ${path} cannot be used: it belongs to user ${isRoot ? 4321 : 0}, and this process is user ${process.getuid?.()}: run it as that user, or change the owner`,
      ),
    );
  });

  test('is refused with the reason of any other failure of the system', async () => {
    const below = join(file, 'pki/ca.crt');
    await assert.rejects(
      using(() => readFile(below)),
      refusal(`--data-dir: ${below} cannot be used: a folder of the path is a file`),
    );
  });

  test('fails as it does with files elsewhere', async () => {
    await assert.rejects(
      using(() => readFile(`${folder}-other`)),
      { code: 'ENOENT' },
    );
    assert.equal(await using(async () => 1), 1);
  });
});
