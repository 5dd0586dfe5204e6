import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FlagError } from '@binnacle/flags';
import { createPki } from '@binnacle/tls';
import { securityFrom } from './service-environment.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-environment-'));
after(() => rm(directory, { recursive: true, force: true }));

test('calls between services use mutual TLS from a directory, or plaintext if a flag says so', async () => {
  const pki = await createPki(directory, { services: ['storage'] });
  const { tls } = await securityFrom({ tlsDir: pki.serviceDirectory('storage'), insecure: false });
  assert.ok(tls && tls.ca.length > 0 && tls.cert.length > 0 && tls.key.length > 0);
  assert.deepEqual(await securityFrom({ tlsDir: undefined, insecure: true }), { insecure: true });
});

test('a key in the directory that is not that of the certificate is a command line error', async () => {
  const pki = await createPki(directory, { services: ['storage'] });
  const tlsDir = pki.serviceDirectory('storage');
  for (const key of [join(directory, 'ca.key'), pki.serviceAccountKeyFile]) {
    await copyFile(key, join(tlsDir, 'tls.key'));
    await assert.rejects(securityFrom({ tlsDir, insecure: false }), {
      name: 'FlagError',
      message: `--tls-dir ${tlsDir}: the key is not that of the certificate`,
    });
  }
});

for (const [what, flags] of [
  ['neither', { tlsDir: undefined, insecure: false }],
  ['both', { tlsDir: directory, insecure: true }],
] as const) {
  test(`${what} of --tls-dir and --insecure is a command line error`, async () => {
    await assert.rejects(securityFrom(flags), FlagError);
  });
}
