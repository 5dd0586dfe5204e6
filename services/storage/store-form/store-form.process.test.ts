import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { storeFormKey } from '@binnacle/storage-contract';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { registerStoreFormTests, strangeForm, strangeFormRefusal } from '../test-drivers/store-form-tests.ts';
import { putValues } from '../test-drivers/stored-samples.ts';
import { encodeStoreForm } from './store-form.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-form-'));
after(() => rm(directory, { recursive: true, force: true }));
let stores = 0;

registerStoreFormTests('embedded', () => openEmbeddedStorage({ directory: join(directory, `${stores++}`) }));

test('a start on a store of a newer form ends with one line and status 1', async () => {
  const dataDirectory = join(directory, 'newer');
  {
    await using storage = await openEmbeddedStorage({ directory: join(dataDirectory, 'store') });
    await putValues(storage, { [storeFormKey]: encodeStoreForm(strangeForm) });
  }
  const flags = ['--insecure', '--log-format=text', '--backend=embedded', `--data-dir=${dataDirectory}`];
  const main = join(import.meta.dirname, '../main.ts');
  const { code, output } = await new Promise<{ code: unknown; output: string }>(resolve =>
    execFile(process.execPath, [main, ...flags, '--port=0', '--operations-port=0'], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );
  assert.equal(output, `storage: ${strangeFormRefusal}\n`);
  assert.equal(code, 1);
});
