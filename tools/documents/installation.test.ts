import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';
import { repositoryDirectory } from '../source-scan/source-files.ts';

it('the installation prints no warnings, whatever Node and npm the shell has', () => {
  const makefile = readFileSync(join(repositoryDirectory, 'Makefile'), 'utf8');
  const [, installation = ''] = /^\t(npm ci .*)$/m.exec(makefile) ?? [];
  const directories = process.env['PATH']?.split(delimiter) ?? [];
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${installation} --dry-run --offline`], {
    cwd: repositoryDirectory,
    env: {
      HOME: process.env['HOME'],
      PATH: directories.filter(directory => !directory.includes('node_modules')).join(delimiter),
    },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /\bin \d+m?s$/m);
});
