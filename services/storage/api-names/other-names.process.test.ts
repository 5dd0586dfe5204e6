import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { vocabularies, vocabulary } from '@binnacle/api-names';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createStorageService } from '../storage-service.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-names-'));
after(() => rm(directory, { recursive: true, force: true }));
const main = join(import.meta.dirname, '../main.ts');
const [other = ''] = vocabularies.filter(name => name !== vocabulary);

function run(...flags: string[]): Promise<{ code: unknown; output: string }> {
  return new Promise(resolve =>
    execFile(process.execPath, [main, ...flags], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );
}

test('a start with other names than those of the store exits with one line and status 1', async () => {
  const service = await createStorageService({
    backend: { kind: 'embedded', directory: join(directory, 'store') },
    log: silentLogger,
    metrics: createMetrics({ process: false }),
  });
  await service[Symbol.asyncDispose]();
  const flags = [
    '--insecure',
    '--log-level=error',
    '--log-format=text',
    '--backend=embedded',
    `--data-dir=${directory}`,
    '--port=0',
    '--operations-port=0',
  ];
  const { code, output } = await run(...flags, `--api-names=${other}`);
  assert.equal(
    output,
    `storage: the store has --api-names=${vocabulary}, and this process --api-names=${other}: start it with --api-names=${vocabulary}, or convert the store with "binnaclectl names convert --to=${other}"\n`,
  );
  assert.equal(code, 1);
});

test('an unknown vocabulary is refused by name', async () => {
  const { code, output } = await run('--insecure', '--log-format=text', '--api-names=k8s');
  assert.equal(output, 'storage: --api-names must be one of cluster, kubernetes\n');
  assert.equal(code, 2);
});
