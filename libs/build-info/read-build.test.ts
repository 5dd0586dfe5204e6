import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { readBuild } from './read-build.ts';
import { versionLine } from './version-info.ts';

const repository = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'binnacle-build-'));
after(() => rmSync(folder, { recursive: true }));
const unknown = { gitCommit: '', gitTreeState: '', buildDate: '1970-01-01T00:00:00Z' };

function git(directory: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-11-27T09:00:00+01:00' };
  return execFileSync('git', ['-C', directory, ...identity, ...args], { encoding: 'utf8', env }).trim();
}

test('the build of a checkout is its commit, clean or dirty, and a folder inside has none', async () => {
  const checkout = join(folder, 'checkout');
  const within = join(checkout, 'within');
  await mkdir(within, { recursive: true });
  git(checkout, 'init', '--quiet');
  assert.deepEqual(readBuild(checkout), unknown, 'no commit yet');
  writeFileSync(join(checkout, 'a'), 'a');
  git(checkout, 'add', 'a');
  git(checkout, 'commit', '--quiet', '--message=a');
  const gitCommit = git(checkout, 'rev-parse', 'HEAD');
  const clean = { gitCommit, gitTreeState: 'clean', buildDate: '2026-11-27T08:00:00Z' };
  writeFileSync(join(checkout, 'untracked'), '');
  assert.deepEqual(readBuild(checkout), clean);
  writeFileSync(join(checkout, 'a'), 'b');
  assert.deepEqual(readBuild(checkout), { ...clean, gitTreeState: 'dirty' });
  assert.deepEqual(readBuild(within), unknown);
});

test('an archive has the commit and its date, and a copy of the sources none', async () => {
  const checkout = join(folder, 'archived');
  const archive = join(folder, 'archive');
  const copy = join(folder, 'copy');
  for (const directory of [checkout, archive, copy]) await mkdir(directory);
  for (const file of ['.gitattributes', 'build-info.json'])
    for (const directory of [checkout, copy]) copyFileSync(join(repository, file), join(directory, file));
  git(checkout, 'init', '--quiet');
  git(checkout, 'add', '.');
  git(checkout, 'commit', '--quiet', '--message=a');
  git(checkout, 'archive', '--output', join(folder, 'archive.tar'), 'HEAD');
  execFileSync('tar', ['-xf', join(folder, 'archive.tar'), '-C', archive]);
  const gitCommit = git(checkout, 'rev-parse', 'HEAD');
  const clean = { gitCommit, gitTreeState: 'clean', buildDate: '2026-11-27T08:00:00Z' };
  assert.deepEqual(readBuild(archive), clean);
  assert.deepEqual(readBuild(checkout), clean);
  assert.deepEqual(readBuild(copy), unknown);
});

test('the build file of an image names its version and commit', async () => {
  const image = join(folder, 'image');
  await mkdir(image);
  assert.deepEqual(readBuild(image), unknown);
  const built = { gitCommit: 'abc', gitTreeState: 'clean', buildDate: '2026-01-01T00:00:00Z' };
  writeFileSync(join(image, 'build-info.json'), JSON.stringify(built));
  assert.deepEqual(readBuild(image), built);
  writeFileSync(
    join(image, 'build-info.json'),
    JSON.stringify({ gitCommit: '', gitTreeState: '', buildDate: '' }),
  );
  assert.deepEqual(readBuild(image), unknown, 'built without saying of what');
  writeFileSync(join(image, 'build-info.json'), '{');
  assert.deepEqual(readBuild(image), unknown);
});

test('a version line names the program, its version and the API release', () => {
  assert.match(versionLine('gateway'), /^gateway \d+\.\d+\.\d+ \(API 1\.26(, commit [0-9a-f]{12}, .*)?\)$/);
});
