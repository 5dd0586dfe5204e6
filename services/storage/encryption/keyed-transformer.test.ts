import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { type LocalProvider, localCiphers } from './ciphers/local-ciphers.ts';
import type { Decrypted, Transformer } from './ciphers/transformer.ts';
import { createKeyedTransformer, identityTransformer, type NamedKey } from './keyed-transformer.ts';

/** Values in the format of kube-apiserver, encrypted with the libraries of Go that it uses. */
interface StoredValue {
  readonly provider: LocalProvider;
  readonly secret: string;
  readonly key: string;
  readonly value: string;
  readonly stored: string;
}

const fixture = join(import.meta.dirname, 'fixtures', 'stored-values.json');
const storedValues = JSON.parse(readFileSync(fixture, 'utf8')) as readonly StoredValue[]; // The form of the fixture.
const providers = Object.keys(localCiphers) as LocalProvider[]; // Its own keys.

const key = storageKeyFrom('/core/secrets/default/a');
const secret = Buffer.alloc(32, 7);
const value = Buffer.from('{"data":{"password":"c2VjcmV0"}}');

function decrypt(transformer: Transformer, stored: Uint8Array, place: StorageKey = key): Decrypted {
  const decrypted = transformer.decrypt(stored, place);
  assert.ok(!(decrypted instanceof Promise));
  return decrypted;
}

function encrypt(transformer: Transformer, place: StorageKey = key): Uint8Array {
  const stored = transformer.encrypt(value, place);
  assert.ok(!(stored instanceof Promise));
  return stored;
}

for (const { provider, secret: text, ...stored } of storedValues) {
  const bytes = Buffer.from(text, 'base64');
  test(`a value that kube-apiserver wrote with ${provider} and ${bytes.length} bytes of key is read`, () => {
    const transformer = createKeyedTransformer(provider, [{ name: 'key1', secret: bytes }]);
    const place = storageKeyFrom(stored.key);
    const decrypted = decrypt(transformer, Buffer.from(stored.stored, 'base64'), place);
    assert.equal(Buffer.from(decrypted.value).toString(), stored.value);
    assert.equal(decrypted.isStale, false);
  });
}

for (const provider of providers) {
  describe(provider, () => {
    const first: NamedKey = { name: 'first', secret };
    const second: NamedKey = { name: 'second', secret: Buffer.alloc(32, 8) };
    const transformer = createKeyedTransformer(provider, [first, second]);

    test('a value comes back, in memory of its own, and is stored otherwise each time', () => {
      const stored = encrypt(transformer);
      assert.ok(Buffer.from(stored).toString('latin1').startsWith(`k8s:enc:${provider}:v1:first:`));
      assert.ok(!Buffer.from(stored).includes('password'));
      const decrypted = decrypt(transformer, stored).value;
      assert.deepEqual(Buffer.from(decrypted), value);
      assert.equal(decrypted.byteLength, decrypted.buffer.byteLength);
      assert.notDeepEqual(encrypt(transformer), stored);
    });

    test('values of any length come back', () => {
      for (const length of [0, 1, 15, 16, 17, 70_000]) {
        const bytes = Buffer.alloc(length, 'ab');
        const stored = transformer.encrypt(bytes, key);
        assert.ok(!(stored instanceof Promise));
        assert.deepEqual(Buffer.from(decrypt(transformer, stored).value), bytes);
      }
    });

    test('a later key decrypts, and its values are stale', () => {
      const stored = encrypt(createKeyedTransformer(provider, [second]));
      const { value: decrypted, isStale } = decrypt(transformer, stored);
      assert.deepEqual(Buffer.from(decrypted), value);
      assert.equal(isStale, true);
    });

    test('a value of a key that is not there is refused', () => {
      const alone = createKeyedTransformer(provider, [second]);
      assert.throws(() => decrypt(alone, encrypt(transformer)), /no key of this name/);
    });

    test('values that were cut are refused', () => {
      const stored = encrypt(transformer);
      const header = `k8s:enc:${provider}:v1:first:`.length;
      for (const length of [header, header + 1, header + 20, stored.length - 1])
        assert.throws(() => decrypt(transformer, stored.subarray(0, length)), `${length} bytes`);
    });
  });
}

for (const provider of ['aesgcm', 'secretbox'] as const)
  test(`a changed value of ${provider} is refused, wherever it was changed`, () => {
    const transformer = createKeyedTransformer(provider, [{ name: 'a', secret }]);
    const stored = Buffer.from(encrypt(transformer));
    const header = `k8s:enc:${provider}:v1:a:`.length;
    for (let position = header; position < stored.length; position++) {
      const changed = Buffer.from(stored);
      changed[position] = (changed[position] ?? 0) ^ 1;
      assert.throws(() => decrypt(transformer, changed), `byte ${position}`);
    }
  });

test('a value of aesgcm in the place of another object is refused', () => {
  const transformer = createKeyedTransformer('aesgcm', [{ name: 'a', secret }]);
  const stored = encrypt(transformer);
  assert.throws(() => decrypt(transformer, stored, storageKeyFrom('/core/secrets/default/b')));
  assert.deepEqual(Buffer.from(decrypt(transformer, stored).value), value);
});

test('two secrets of one name decrypt, and names of which one begins the other', () => {
  const others = [
    { name: 'a', secret: Buffer.alloc(32, 1) },
    { name: 'a', secret: Buffer.alloc(32, 2) },
    { name: 'a:b', secret: Buffer.alloc(32, 3) },
  ];
  const transformer = createKeyedTransformer('aesgcm', others);
  for (const [index, each] of others.entries()) {
    const decrypted = decrypt(transformer, encrypt(createKeyedTransformer('aesgcm', [each])));
    assert.deepEqual(Buffer.from(decrypted.value), value);
    assert.equal(decrypted.isStale, index > 0);
  }
});

test('identity passes plaintext on, and refuses what another provider encrypted', () => {
  assert.equal(decrypt(identityTransformer, value).value, value);
  assert.equal(identityTransformer.encrypt(value, key), value);
  const stored = encrypt(createKeyedTransformer('secretbox', [{ name: 'a', secret }]));
  assert.throws(() => decrypt(identityTransformer, stored), /is encrypted/);
});
