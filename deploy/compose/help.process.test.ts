import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

/** The programs that take arguments, apart from the services, and a word that their help must have. */
const programs = [
  ['bench/main.ts', '--form'],
  ['bench/frozen/main.ts', '--seconds'],
  ['bench/stalls/main.ts', '--runs'],
  ['clients/binnaclectl/main.ts', 'Commands:'],
  ['deploy/backends/install.ts', 'kafka'],
  ['deploy/compose/create-backend-users.ts', '--directory'],
  ['deploy/compose/create-certificates.ts', '--server-names'],
  ['deploy/compose/restart-pod.ts', '--pod'],
  ['deploy/compose/run-distributed.ts', '--ha'],
  ['tests/clients/install.ts', 'operators'],
  ['tests/faults/suite/main.ts', '--seed'],
  ['tests/fuzz/main.ts', '--target'],
  ['tools/check-cases/main.ts', 'DIRECTORY'],
  ['tools/check-wire/main.ts', 'DIRECTORY'],
  ['tools/generate/main.ts', '--check'],
  ['tools/run-tests/main.ts', '--only'],
  ['tools/spec-coverage/main.ts', '--check'],
] as const;

for (const [program, word] of programs)
  test(`${program} --help prints its usage and does nothing else`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-help-'));
    try {
      const environment = {
        BINNACLE_DATA_DIR: join(directory, 'data'),
        BINNACLE_OUTPUT: join(directory, 'output'),
      };
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), '--help'], {
        cwd: directory,
        encoding: 'utf8',
        env: { ...process.env, ...environment },
        timeout: 60_000,
      });
      assert.equal(status, 0, stderr);
      assert.ok(stdout.includes(word), stdout);
      assert.deepEqual(readdirSync(directory), []);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
