import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { groups, vocabulary } from '@binnacle/api-names';
import { apiNamesKey, storageKeyFrom, storeFormKey } from '@binnacle/storage-contract';
import { encodeApiNames } from '../api-names/api-names-record.ts';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import {
  registerEncryptedTypesTests,
  registerStoreFormTests,
  strangeForm,
  strangeFormRefusal,
} from '../test-drivers/store-form-tests.ts';
import { putValues } from '../test-drivers/stored-samples.ts';
import { encodeStoreForm } from './store-form.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-form-'));
after(() => rm(directory, { recursive: true, force: true }));
let stores = 0;

const open = () => openEmbeddedStorage({ directory: join(directory, `${stores++}`) });
registerStoreFormTests('embedded', open);
registerEncryptedTypesTests('embedded', open);

const refused: readonly {
  readonly on: string;
  readonly values: Record<string, Uint8Array>;
  /** The key of the encryption configuration; absent: there is none. */
  readonly key?: string;
  readonly says: RegExp;
}[] = [
  {
    on: 'a store of a newer form',
    values: { [storeFormKey]: encodeStoreForm(strangeForm) },
    says: new RegExp(`^storage: ${strangeFormRefusal}\n$`),
  },
  {
    on: 'a store with encrypted values, without an encryption configuration,',
    values: {
      [storeFormKey]: encodeStoreForm({
        ...{ form: 1, usableFrom: 1, release: '0.1.0' },
        encryptedTypes: [storageKeyFrom('/core/secrets/')],
      }),
      '/core/secrets/default/a': Buffer.from('k8s:enc:aesgcm:v1:a:0123456789'),
    },
    says: /^storage: the value of \/core\/secrets\/default\/a is encrypted, [^\n]* set --encryption-provider-config [^\n]*\n$/,
  },
  {
    on: 'a store with encrypted values, with a configuration that lacks their key,',
    values: { '/core/secrets/default/a': Buffer.from('k8s:enc:aesgcm:v1:a:0123456789') },
    key: 'b',
    says: /^[^\n]* encryption at rest [^\n]*\nstorage: the value of \/core\/secrets\/default\/a needs the provider aesgcm with a key of the name "a", [^\n]*\n$/,
  },
];

for (const { on, values, key, says } of refused)
  test(`a start on ${on} ends with one line and status 1`, async () => {
    const dataDirectory = join(directory, `refused-${stores++}`);
    {
      await using storage = await openEmbeddedStorage({ directory: join(dataDirectory, 'store') });
      await putValues(storage, { [apiNamesKey]: encodeApiNames({ apiNames: vocabulary }), ...values });
    }
    const flags = ['--insecure', '--log-format=text', '--backend=embedded', `--data-dir=${dataDirectory}`];
    if (key !== undefined) flags.push(`--encryption-provider-config=${await configurationWith(key)}`);
    const main = join(import.meta.dirname, '../main.ts');
    const { code, output } = await new Promise<{ code: unknown; output: string }>(resolve =>
      execFile(
        process.execPath,
        [main, ...flags, '--port=0', '--operations-port=0'],
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      ),
    );
    assert.match(output, says);
    assert.equal(code, 1);
  });

/** Writes a configuration that encrypts Secrets with a key of this name. */
async function configurationWith(key: string): Promise<string> {
  const file = join(directory, `key-${key}.yaml`);
  const keys = `[{ name: ${key}, secret: ${Buffer.alloc(32, key).toString('base64')} }]`;
  await writeFile(
    file,
    `apiVersion: ${groups.apiserverConfig}/v1\nkind: EncryptionConfiguration\nresources:\n- { resources: [secrets], providers: [{ aesgcm: { keys: ${keys} } }] }\n`,
    { mode: 0o600 },
  );
  return file;
}
