import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readClientTls, readSecretFile } from './client-tls.ts';

let directory = '';
const file = (name: string) => join(directory, name);

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-client-tls-'));
  for (const name of ['ca', 'cert', 'key']) await writeFile(file(name), name);
});
after(() => rm(directory, { recursive: true }));

test('without files the connection is in plaintext', async () => {
  const none = { caFile: undefined, certFile: undefined, keyFile: undefined };
  assert.equal(await readClientTls('etcd', none), undefined);
});

test('an authority is read, alone or with a client certificate', async () => {
  const alone = await readClientTls('etcd', { caFile: file('ca'), certFile: undefined, keyFile: undefined });
  assert.deepEqual(alone, { ca: Buffer.from('ca'), identity: undefined });
  const both = await readClientTls('etcd', {
    caFile: file('ca'),
    certFile: file('cert'),
    keyFile: file('key'),
  });
  assert.deepEqual(both?.identity, { cert: Buffer.from('cert'), key: Buffer.from('key') });
});

test('contradicting files are refused by name', async () => {
  await assert.rejects(
    readClientTls('kafka', { caFile: file('ca'), certFile: file('cert'), keyFile: undefined }),
    /certificate file and the key file of kafka must be given together/,
  );
  await assert.rejects(
    readClientTls('redis', { caFile: undefined, certFile: file('cert'), keyFile: file('key') }),
    /client certificate for redis needs the certificate authority file/,
  );
  await assert.rejects(
    readClientTls('etcd', { caFile: file('none'), certFile: undefined, keyFile: undefined }),
    /ENOENT/,
  );
});

test('only the final line break is removed from a secret', async () => {
  await writeFile(file('secret'), ' a b \n');
  assert.equal(await readSecretFile(file('secret')), ' a b ');
  await writeFile(file('empty'), '\n');
  await assert.rejects(readSecretFile(file('empty')), /is empty/);
});
