import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadClientConfiguration } from './client-configuration.ts';
import { writeClientConfiguration } from './write-client-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-client-'));
after(() => rmSync(folder, { recursive: true }));

test('what is written is read again, and only its owner can read it', async () => {
  const path = join(folder, 'admin.conf');
  const written = {
    servers: ['https://127.0.0.1:6443'],
    certificateAuthority: Buffer.from('ca'),
    clientCertificate: Buffer.from('certificate'),
    clientKey: Buffer.from('key'),
  };
  await writeClientConfiguration(path, written, { cluster: 'binnacle', user: 'admin' });
  assert.deepEqual(loadClientConfiguration(path), written);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('files are found beside the configuration, and tokens are trimmed', () => {
  const path = join(folder, 'files.conf');
  writeFileSync(join(folder, 'ca.crt'), 'authority');
  writeFileSync(join(folder, 'token'), 'secret\n');
  writeFileSync(
    path,
    configuration('server: https://h\n    certificate-authority: ca.crt', 'tokenFile: token'),
  );
  const read = loadClientConfiguration(path);
  assert.equal(read.certificateAuthority?.toString(), 'authority');
  assert.equal(read.token, 'secret');
});

for (const [what, cluster, user, message] of [
  ['a credential plugin', 'server: https://h', 'exec: {command: x}', /users\.exec is not supported/],
  [
    'verification switched off',
    'insecure-skip-tls-verify: true\n    server: https://h',
    '{}',
    /insecure-skip-tls-verify/,
  ],
  ['no server', 'extensions: []', '{}', /no server/],
] as const) {
  test(`a configuration with ${what} is refused by name`, () => {
    const path = join(folder, 'refused.conf');
    writeFileSync(path, configuration(cluster, user));
    assert.throws(() => loadClientConfiguration(path), message);
  });
}

function configuration(cluster: string, user: string): string {
  return `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters:
- name: k
  cluster:
    ${cluster}
users:
- name: u
  user:
    ${user}
`;
}
