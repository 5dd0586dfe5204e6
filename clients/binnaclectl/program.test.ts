import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const repository = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'binnacle-program-'));
after(() => rmSync(folder, { recursive: true }));

for (const name of ['bin', 'node_modules', 'new', 'old']) mkdirSync(join(folder, name));
copyFileSync(join(repository, 'bin/binnaclectl'), join(folder, 'bin/binnaclectl'));
symlinkSync(join(repository, 'clients'), join(folder, 'clients'));
symlinkSync(process.execPath, join(folder, 'new/node'));
// Stands for a Node that finds its version too old.
writeFileSync(join(folder, 'old/node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });

/** Runs the program where the machine's own Node is the one of a folder. */
function run(nodeFolder: string): [status: number | null, output: string] {
  const { status, stdout, stderr } = spawnSync(join(folder, 'bin/binnaclectl'), ['--version'], {
    env: { PATH: `${join(folder, nodeFolder)}:/usr/bin:/bin`, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    encoding: 'utf8',
  });
  return [status, `${stdout}${stderr}`];
}

test('without the pinned Node the program runs on that of the machine, and refuses an old one and what is not installed', () => {
  const refusal = `error: ${folder}/node_modules/.bin/node is missing: run "npm ci" in ${folder}\n`;
  assert.deepEqual(run('new'), [1, refusal]);
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '');
  assert.deepEqual(run('old'), [1, refusal]);
  const [status, output] = run('new');
  assert.equal(status, 0, output);
  assert.match(output, /^binnaclectl \d/);
});
