import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encryptedObjectCodec, kmsV1, kmsV2 } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { startKmsTest } from './test-drivers/kms-test.ts';

/** Bytes that the Go code of release 1.26 made: k8s.io/apiserver and k8s.io/kms 0.26.15, with a plugin in Go. */
interface Vectors {
  readonly stored: {
    readonly key: string;
    readonly value: string;
    /** The key of the plugin, which encrypts data keys with AES-GCM. */
    readonly kek: string;
    readonly v1: string;
    readonly v2: string;
  };
  /** Messages by API and name. */
  readonly wire: Readonly<Record<string, string>>;
}

const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/release-1.26.json'), 'utf8'),
) as Vectors;

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const annotations = { 'a.example.com': Buffer.of(0, 255) };

const messages: readonly (readonly [
  name: string,
  codec: { encode(message: never): Uint8Array; decode(bytes: Uint8Array): unknown },
  message: object,
])[] = [
  ['v1 VersionRequest', kmsV1.versionRequestCodec, { version: 'v1beta1' }],
  [
    'v1 VersionResponse',
    kmsV1.versionResponseCodec,
    { version: 'v1beta1', runtimeName: 'name', runtimeVersion: '1.2.3' },
  ],
  ['v1 EncryptRequest', kmsV1.encryptRequestCodec, { version: 'v1beta1', plain: Buffer.of(1, 2) }],
  ['v1 EncryptResponse', kmsV1.encryptResponseCodec, { cipher: Buffer.of(3, 4) }],
  ['v1 DecryptRequest', kmsV1.decryptRequestCodec, { version: 'v1beta1', cipher: Buffer.of(3, 4) }],
  ['v1 DecryptResponse', kmsV1.decryptResponseCodec, { plain: Buffer.of(1, 2) }],
  ['v2 StatusRequest', kmsV2.statusRequestCodec, {}],
  ['v2 StatusResponse', kmsV2.statusResponseCodec, { version: 'v2alpha1', healthz: 'ok', keyId: 'key' }],
  ['v2 EncryptRequest', kmsV2.encryptRequestCodec, { plaintext: Buffer.of(1, 2), uid: 'uid' }],
  [
    'v2 EncryptResponse',
    kmsV2.encryptResponseCodec,
    { ciphertext: Buffer.of(3, 4), keyId: 'key', annotations },
  ],
  [
    'v2 DecryptRequest',
    kmsV2.decryptRequestCodec,
    { ciphertext: Buffer.of(3, 4), uid: 'uid', keyId: 'key', annotations },
  ],
  ['v2 DecryptResponse', kmsV2.decryptResponseCodec, { plaintext: Buffer.of(1, 2) }],
  [
    'v2 EncryptedObject',
    encryptedObjectCodec,
    { encryptedData: Buffer.of(5, 6), keyId: 'key', encryptedDek: Buffer.of(3, 4), annotations },
  ],
];

test('every message has the bytes of release 1.26', () => {
  assert.deepEqual(messages.map(([name]) => name).sort(), Object.keys(vectors.wire).sort());
  for (const [name, codec, message] of messages) {
    const bytes = vectors.wire[name]!; // Named by the line above.
    assert.equal(Buffer.from(codec.encode(message as never)).toString('hex'), bytes, name); // Of the codec beside it.
    assert.deepEqual(codec.decode(hex(bytes)), message, name);
  }
});

for (const apiVersion of ['v1', 'v2'] as const)
  test(`a value that kube-apiserver 1.26 encrypted with a plugin of ${apiVersion} is decrypted, in its place alone`, async () => {
    await using kms = await startKmsTest(apiVersion);
    const { key, value, kek } = vectors.stored;
    kms.plugin.fault = ({ method, request }, answer) => {
      if (!method.endsWith('/Decrypt')) return answer();
      const { cipher, ciphertext } = request as { cipher?: Buffer; ciphertext?: Buffer }; // Of v1, of v2.
      const dataKey = decryptDataKey((cipher ?? ciphertext)!, hex(kek)); // One of them is there.
      return { plain: dataKey, plaintext: dataKey };
    };
    const stored = Buffer.concat([Buffer.from(kms.transformer.prefix), hex(vectors.stored[apiVersion])]);
    const decrypted = await kms.transformer.decrypt(stored, storageKeyFrom(key));
    assert.equal(Buffer.from(decrypted.value).toString(), value);
    assert.throws(() => kms.transformer.decrypt(stored, storageKeyFrom(`${key}x`)));
    if (apiVersion === 'v1') return;
    const call = kms.plugin.calls.find(({ method }) => method === 'v2/Decrypt');
    const { keyId, annotations: sent } = call?.request as { keyId: string; annotations: object }; // Of the contract.
    assert.equal(keyId, 'key-1');
    assert.deepEqual(sent, {
      'local.kek.example.com': Buffer.of(0, 1, 254, 255),
      'version.example.com': Buffer.from('1'),
    });
  });

function decryptDataKey(encrypted: Buffer, kek: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', kek, encrypted.subarray(0, 12));
  decipher.setAuthTag(encrypted.subarray(-16));
  return Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
}
