import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { encryptedObjectCodec } from '@binnacle/proto';
import { KmsError } from './kms-error.ts';
import { secretKey, startKmsTest, until } from './test-drivers/kms-test.ts';

const marker = 'the-marker-of-a-secret';
const value = Buffer.from(`{"kind":"Secret","stringData":{"a":"${marker}"}}`);
const key = secretKey('a');

for (const apiVersion of ['v1', 'v2'] as const)
  describe(`API ${apiVersion}`, () => {
    test('values of many keys and sizes are decrypted in their places, with nothing of them in what is stored', async () => {
      await using kms = await startKmsTest(apiVersion);
      const { transformer } = kms;
      assert.equal(transformer.prefix, `k8s:enc:kms:${apiVersion}:test:`);
      const values = Array.from({ length: 100 }, (_, size) =>
        Buffer.concat([Buffer.from(marker), randomBytes(size * 37)]),
      );
      const stored = await Promise.all(values.map((each, at) => transformer.encrypt(each, secretKey(at))));
      for (const [at, each] of stored.entries()) {
        const bytes = Buffer.from(each);
        assert.equal(bytes.indexOf(transformer.prefix), 0);
        assert.equal(bytes.indexOf(marker), -1);
        const decrypted = await transformer.decrypt(each, secretKey(at));
        assert.deepEqual(Buffer.from(decrypted.value), values[at]);
        await assert.rejects(async () => await transformer.decrypt(each, secretKey(at + 1)));
      }
    });

    test('an empty value is encrypted too', async () => {
      await using kms = await startKmsTest(apiVersion);
      const stored = await kms.transformer.encrypt(Buffer.alloc(0), key);
      assert.equal((await kms.transformer.decrypt(stored, key)).value.length, 0);
    });

    test('a value with a changed byte, whichever it is, or without its end is refused', async () => {
      // Without a cache, so that the plugin sees changed data keys.
      await using kms = await startKmsTest(apiVersion, { cachesize: -1 });
      const stored = Buffer.from(await kms.transformer.encrypt(value, key));
      await Promise.all(
        Array.from(stored.keys(), async at => {
          const changed = Buffer.from(stored);
          changed[at]! ^= 1 << (at % 8);
          await assert.rejects(async () => await kms.transformer.decrypt(changed, key), `byte ${at}`);
          await assert.rejects(
            async () => await kms.transformer.decrypt(stored.subarray(0, at), key),
            `${at} bytes`,
          );
        }),
      );
      assert.deepEqual(Buffer.from((await kms.transformer.decrypt(stored, key)).value), value);
    });

    test('a data key that was used before needs no call, and its value no promise', async () => {
      await using kms = await startKmsTest(apiVersion);
      const stored = await kms.transformer.encrypt(value, key);
      const decrypted = kms.transformer.decrypt(stored, key);
      assert.ok(!(decrypted instanceof Promise));
      assert.equal(kms.plugin.count(`${apiVersion}/Decrypt`), 0);
    });

    test('without a cache each read is a call, and concurrent reads of one data key are one', async () => {
      await using kms = await startKmsTest(apiVersion, { cachesize: -1 });
      const stored = await kms.transformer.encrypt(value, key);
      await kms.transformer.decrypt(stored, key);
      await kms.transformer.decrypt(stored, key);
      assert.equal(kms.plugin.count(`${apiVersion}/Decrypt`), 2);
      await Promise.all(Array.from({ length: 50 }, () => kms.transformer.decrypt(stored, key)));
      assert.equal(kms.plugin.count(`${apiVersion}/Decrypt`), 3);
    });

    test('a data key that the plugin refuses is refused to every reader, and asked for once more by the next', async () => {
      await using kms = await startKmsTest(apiVersion, { cachesize: -1 });
      const stored = await kms.transformer.encrypt(value, key);
      kms.plugin.rotate();
      kms.plugin.forgetOldKeys();
      const reads = Array.from({ length: 5 }, async () => await kms.transformer.decrypt(stored, key));
      for (const read of await Promise.allSettled(reads)) {
        assert.ok(read.status === 'rejected' && read.reason instanceof KmsError);
        assert.match(
          read.reason.message,
          /^KMS plugin "test" failed to decrypt: (INVALID_ARGUMENT|NOT_FOUND)$/,
        );
      }
      await assert.rejects(async () => await kms.transformer.decrypt(stored, key), KmsError);
      assert.equal(kms.plugin.count(`${apiVersion}/Decrypt`), 2);
    });

    test('values that another provider encrypted are refused', async () => {
      await using kms = await startKmsTest(apiVersion);
      const stored = Buffer.from(await kms.transformer.encrypt(value, key));
      const other = Buffer.from(stored.toString('latin1').replace(':test:', ':tost:'), 'latin1');
      await assert.rejects(
        async () => await kms.transformer.decrypt(other, key),
        /does not begin with k8s:enc:kms/,
      );
      await assert.rejects(
        async () => await kms.transformer.decrypt(value, key),
        /does not begin with k8s:enc:kms/,
      );
    });

    test('its health is that of the plugin', async () => {
      await using kms = await startKmsTest(apiVersion, { intervals: { goodMs: 20, failedMs: 20 } });
      await kms.transformer.checkHealth();
      kms.plugin.fault = () => {
        throw new Error('the cloud is away');
      };
      await until(() =>
        kms.transformer.checkHealth().then(
          () => false,
          () => true,
        ),
      );
      await assert.rejects(kms.transformer.checkHealth(), {
        name: 'Refusal',
        message: /^KMS plugin "test" failed to (status|encrypt): UNKNOWN$/,
      });
      kms.plugin.fault = (_call, answer) => answer();
      await until(() =>
        kms.transformer.checkHealth().then(
          () => true,
          () => false,
        ),
      );
    });

    test('health counts for its interval', async () => {
      await using kms = await startKmsTest(apiVersion, { intervals: { goodMs: 60_000, failedMs: 60_000 } });
      for (let check = 0; check < 20; check++) await kms.transformer.checkHealth();
      assert.equal(kms.plugin.count(apiVersion === 'v1' ? 'v1/Encrypt' : 'v2/Status'), 1);
    });
  });

test('API v1: each write has a data key of its own, and the cache keeps those that were used last', async () => {
  await using kms = await startKmsTest('v1', { cachesize: 10 });
  const stored: Uint8Array[] = [];
  for (let at = 0; at < 20; at++) stored.push(await kms.transformer.encrypt(value, secretKey(at)));
  assert.equal(kms.plugin.count('v1/Encrypt'), 20);
  const plain = kms.plugin.calls
    .filter(({ method }) => method === 'v1/Encrypt')
    .map(({ request }) => request);
  assert.equal(new Set(plain.map(request => JSON.stringify(request))).size, 20);
  for (const [at, each] of stored.entries())
    if (at >= 10) assert.ok(!(kms.transformer.decrypt(each, secretKey(at)) instanceof Promise));
  assert.ok(kms.transformer.decrypt(stored[0]!, secretKey(0)) instanceof Promise);
  const { body } = await kms.metrics.render();
  assert.match(body, /apiserver_envelope_encryption_dek_cache_fill_percent 1\n/);
  assert.match(body, /apiserver_storage_envelope_transformation_cache_misses_total 1\n/);
  assert.match(body, /apiserver_storage_data_key_generation_duration_seconds_count 20\n/);
  assert.match(body, /dek_cache_inter_arrival_time_seconds_count\{transformation_type="to_storage"\} 20\n/);
  assert.match(body, /kms_call_seconds_count\{provider_name="test",method="encrypt",status="OK"\} 20\n/);
});

test('API v1: a plugin of another version is refused before it gets a key', async () => {
  await using kms = await startKmsTest('v1');
  kms.plugin.fault = ({ method }, answer) => (method === 'v1/Version' ? { version: 'v2' } : answer());
  const wrong = /KMS plugin "test" has the API version "v2", not v1beta1/;
  await assert.rejects(async () => await kms.transformer.encrypt(value, key), wrong);
  assert.equal(kms.plugin.count('v1/Encrypt'), 0);
  kms.plugin.fault = (_call, answer) => answer();
  await kms.transformer.encrypt(value, key);
  await kms.transformer.encrypt(value, key);
  assert.equal(kms.plugin.count('v1/Version'), 2);
});

test('API v1: data keys that the plugin lengthens beyond their place, or to nothing, are refused', async () => {
  await using kms = await startKmsTest('v1');
  for (const bytes of [0, 65_536]) {
    kms.plugin.fault = ({ method }, answer) =>
      method === 'v1/Encrypt' ? { cipher: Buffer.alloc(bytes) } : answer();
    const wrong = new RegExp(`answered with an encrypted data key of ${bytes} bytes`);
    await assert.rejects(async () => await kms.transformer.encrypt(value, key), wrong);
  }
  kms.plugin.fault = ({ method }, answer) =>
    method === 'v1/Encrypt' ? { cipher: Buffer.alloc(65_535, 1) } : answer();
  const stored = await kms.transformer.encrypt(value, key);
  assert.deepEqual(Buffer.from((await kms.transformer.decrypt(stored, key)).value), value);
});

test('API v2: writes share a data key while the status is good, and the plugin sees each call under an id of its own', async () => {
  await using kms = await startKmsTest('v2', { cachesize: -1 });
  await kms.transformer.encrypt(value, key);
  await until(
    async () => !(await kms.transformer.decrypt(await kms.transformer.encrypt(value, key), key)).isStale,
  );
  const before = kms.plugin.count('v2/Encrypt');
  const stored = Array.from({ length: 100 }, (_, at) => kms.transformer.encrypt(value, secretKey(at)));
  assert.ok(
    stored.every(each => each instanceof Uint8Array),
    'without a wait',
  );
  assert.equal(kms.plugin.count('v2/Encrypt'), before);
  const objects = stored.map(each =>
    encryptedObjectCodec.decode((each as Uint8Array).subarray('k8s:enc:kms:v2:test:'.length)),
  );
  assert.equal(new Set(objects.map(({ encryptedDek }) => Buffer.from(encryptedDek).toString('hex'))).size, 1);
  assert.equal(
    new Set(objects.map(({ encryptedData }) => Buffer.from(encryptedData).toString('hex'))).size,
    100,
  );
});

test('API v2: after a rotation new values have the new key, older ones are stale, and both are readable', async () => {
  await using kms = await startKmsTest('v2', { cachesize: -1, intervals: { goodMs: 20, failedMs: 20 } });
  const { transformer, plugin } = kms;
  const older = await transformer.encrypt(value, key);
  await until(async () => !(await transformer.decrypt(older, key)).isStale);
  plugin.rotate();
  await until(async () => (await transformer.decrypt(older, key)).isStale);
  const newer = await transformer.encrypt(value, key);
  assert.ok(Buffer.from(newer).includes(plugin.keyId));
  assert.equal((await transformer.decrypt(newer, key)).isStale, false);
  plugin.forgetOldKeys();
  await assert.rejects(async () => await transformer.decrypt(older, key), /NOT_FOUND/);
  assert.deepEqual(Buffer.from((await transformer.decrypt(newer, key)).value), value);
  const { body } = await kms.metrics.render();
  assert.match(body, /binnacle_storage_kms_key_changes_total\{provider_name="test"\} 2\n/);
});

test('API v2: a key that the status does not name yet is used for one write, and the status is asked for', async () => {
  await using kms = await startKmsTest('v2');
  await kms.transformer.checkHealth();
  kms.plugin.rotate();
  const stored = await kms.transformer.encrypt(value, key);
  assert.ok(Buffer.from(stored).includes(kms.plugin.keyId));
  await until(async () => !(await kms.transformer.decrypt(stored, key)).isStale);
  assert.equal(kms.plugin.count('v2/Status'), 2);
});

const statuses: readonly { readonly status: object; readonly says: string }[] = [
  {
    status: { healthz: 'no token for the vault' },
    says: 'got unexpected healthz status: "no token for the vault"',
  },
  { status: { version: 'v2' }, says: 'expected KMSv2 API version v2alpha1, got "v2"' },
  { status: { keyId: '' }, says: 'keyID is empty' },
  { status: { keyId: 'k'.repeat(1025) }, says: 'keyID is 1025 bytes, which exceeds the max size of 1024' },
];

for (const { status, says } of statuses)
  test(`API v2: a status is not good: ${says.slice(0, 60)}`, async () => {
    await using kms = await startKmsTest('v2', { intervals: { goodMs: 20, failedMs: 20 } });
    kms.plugin.fault = ({ method }, answer) =>
      method === 'v2/Status' ? { ...(answer() as object), ...status } : answer();
    await until(() =>
      kms.transformer.checkHealth().then(
        () => false,
        () => true,
      ),
    );
    await assert.rejects(kms.transformer.checkHealth(), {
      name: 'Refusal',
      message: `KMS plugin "test" is not healthy: ${says}`,
    });
    // As in release 1.26, a plugin that encrypts is written with, each time with a new data key.
    const before = kms.plugin.count('v2/Encrypt');
    for (let write = 0; write < 3; write++) await kms.transformer.encrypt(value, key);
    assert.equal(kms.plugin.count('v2/Encrypt'), before + 3);
  });

const annotation = 'a.example.com';
const answers: readonly { readonly answer: object; readonly says: string | undefined }[] = [
  { answer: { ciphertext: Buffer.alloc(0) }, says: 'encrypted DEK is empty' },
  {
    answer: { ciphertext: Buffer.alloc(1025) },
    says: 'encrypted DEK is 1025 bytes, which exceeds the max size of 1024',
  },
  { answer: { ciphertext: Buffer.alloc(1024) }, says: undefined },
  { answer: { keyId: '' }, says: 'keyID is empty' },
  { answer: { keyId: 'é'.repeat(513) }, says: 'keyID is 1026 bytes, which exceeds the max size of 1024' },
  { answer: { keyId: 'é'.repeat(512) }, says: undefined },
  {
    answer: { annotations: { local: Buffer.of(1) } },
    says: 'annotation "local" is not a fully qualified domain name',
  },
  {
    answer: { annotations: { 'A.example.com': Buffer.of(1) } },
    says: 'annotation "A.example.com" is not a fully',
  },
  {
    answer: { annotations: { 'example.com/a': Buffer.of(1) } },
    says: 'annotation "example.com/a" is not a fully',
  },
  { answer: { annotations: { [`${'a'.repeat(64)}.com`]: Buffer.of(1) } }, says: 'is not a fully qualified' },
  { answer: { annotations: { 'a.example.com.': Buffer.of(1) } }, says: undefined },
  {
    answer: { annotations: { [annotation]: Buffer.alloc(32_768 - annotation.length + 1) } },
    says: 'total size of annotations is 32769, which exceeds the max size of 32768',
  },
  { answer: { annotations: { [annotation]: Buffer.alloc(32_768 - annotation.length) } }, says: undefined },
];

test('API v2: answers that kube-apiserver would not store fail the write', async () => {
  await using kms = await startKmsTest('v2', { intervals: { goodMs: 60_000, failedMs: 60_000 } });
  for (const { answer, says } of answers) {
    kms.plugin.rotate();
    kms.plugin.fault = ({ method }, usual) =>
      method === 'v2/Encrypt' ? { ...(usual() as object), ...answer } : usual();
    const write = async () => await kms.transformer.encrypt(value, key);
    if (says === undefined) assert.ok((await write()).length > 0);
    else
      await assert.rejects(write, (thrown: unknown) => {
        assert.ok(thrown instanceof KmsError && thrown.message.includes(says), String(thrown));
        return true;
      });
  }
});

test('API v2: the key and the annotations that a value names go to the plugin as they are', async () => {
  await using kms = await startKmsTest('v2', { cachesize: -1 });
  const stored = Buffer.from(await kms.transformer.encrypt(value, key));
  const object = encryptedObjectCodec.decode(stored.subarray(kms.transformer.prefix.length));
  const changed = (change: object) =>
    Buffer.concat([
      Buffer.from(kms.transformer.prefix),
      encryptedObjectCodec.encode({ ...object, ...change }),
    ]);
  const decrypt = async (bytes: Uint8Array) => await kms.transformer.decrypt(bytes, key);
  await assert.rejects(decrypt(changed({ keyId: 'another' })), /NOT_FOUND/);
  await assert.rejects(decrypt(changed({ annotations: {} })), /INVALID_ARGUMENT/);
  await assert.rejects(decrypt(changed({ encryptedData: Buffer.alloc(0) })), /encrypted data is empty/);
  await assert.rejects(decrypt(changed({ keyId: '' })), /keyID is empty/);
  await decrypt(changed({}));
});

test('API v2: a cached data key does not decrypt a value that names another key of the plugin', async () => {
  await using kms = await startKmsTest('v2');
  const stored = Buffer.from(await kms.transformer.encrypt(value, key));
  const { prefix } = kms.transformer;
  const object = encryptedObjectCodec.decode(stored.subarray(prefix.length));
  const other = encryptedObjectCodec.encode({ ...object, keyId: `${object.keyId}x` });
  await assert.rejects(
    async () => await kms.transformer.decrypt(Buffer.concat([Buffer.from(prefix), other]), key),
    /NOT_FOUND/,
  );
});

test('of hundreds of reads of data keys that are not cached, 32 are called for at once', async () => {
  await using kms = await startKmsTest('v1', { cachesize: -1 });
  kms.plugin.fault = async (_call, answer) => {
    await new Promise(resolve => setTimeout(resolve, 5));
    return answer();
  };
  const stored = await Promise.all(
    Array.from({ length: 500 }, (_, at) => kms.transformer.encrypt(value, secretKey(at))),
  );
  assert.equal(kms.plugin.mostAtOnce, 32);
  kms.plugin.mostAtOnce = 0;
  const read = await Promise.all(stored.map((each, at) => kms.transformer.decrypt(each, secretKey(at))));
  assert.equal(kms.plugin.count('v1/Decrypt'), 500);
  assert.equal(kms.plugin.mostAtOnce, 32);
  assert.ok(read.every(each => value.equals(each.value)));
});
