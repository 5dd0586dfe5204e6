import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, it } from 'node:test';
import { repositoryDirectory } from '../source-scan/source-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-installation-'));
after(() => rmSync(folder, { recursive: true }));

// `npm ci` of npm before 10.8 empties node_modules in a dry run too: another command with its flags, where nothing is installed.
it('the installation prints no warnings, whatever Node and npm the shell has', () => {
  const makefile = readFileSync(join(repositoryDirectory, 'Makefile'), 'utf8');
  const [, flags] = /^\tnpm ci (.*)$/m.exec(makefile) ?? [];
  assert.ok(flags, 'the Makefile has no installation');
  for (const name of readdirSync(repositoryDirectory))
    if (name !== 'node_modules' && name !== '.git')
      symlinkSync(join(repositoryDirectory, name), join(folder, name));
  const directories = process.env['PATH']?.split(delimiter) ?? [];
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `npm install ${flags} --dry-run --offline`], {
    cwd: folder,
    env: {
      HOME: process.env['HOME'],
      PATH: directories.filter(directory => !directory.includes('node_modules')).join(delimiter),
    },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^added \d+ packages/m);
});
