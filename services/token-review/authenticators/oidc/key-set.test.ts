import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { fittingKeys, parseKeySet } from './key-set.ts';
import { keyFormOf } from './signing-algorithms.ts';
import { createJwk, createTestKey } from './test-drivers/test-issuer.ts';

const everything = [...keyFormOf.keys()];
const rsa = createTestKey('rsa');
const curves = { p256: 'prime256v1', p384: 'secp384r1', p521: 'secp521r1', k1: 'secp256k1' };
const rsaAlgorithms = everything.filter(algorithm => !algorithm.startsWith('ES'));

const entries: [title: string, entry: unknown, algorithms: readonly string[]][] = [
  ['an RSA key', createJwk(rsa), rsaAlgorithms],
  ['an RSA key for signatures', createJwk(rsa, { use: 'sig', key_ops: ['verify'] }), rsaAlgorithms],
  ['an RSA key with an algorithm', createJwk(rsa, { alg: 'PS384' }), ['PS384']],
  ['an RSA key with the algorithm of another type', createJwk(rsa, { alg: 'ES256' }), []],
  ['an RSA key with HMAC', createJwk(rsa, { alg: 'HS256' }), []],
  ['an RSA key for encryption', createJwk(rsa, { use: 'enc' }), []],
  ['an RSA key for other operations', createJwk(rsa, { key_ops: ['encrypt'] }), []],
  ['a short RSA key', createJwk(createTestKey('short', 1024)), []],
  ['an RSA key with the exponent 1', createJwk(rsa, { e: 'AQ' }), []],
  ['an RSA key with a long exponent', createJwk(rsa, { e: Buffer.alloc(200, 7).toString('base64url') }), []],
  ['an RSA key without modulus', createJwk(rsa, { n: undefined }), []],
  ['a key on P-256', createJwk(createTestKey('a', curves.p256)), ['ES256']],
  ['a key on P-384', createJwk(createTestKey('a', curves.p384)), ['ES384']],
  ['a key on P-521', createJwk(createTestKey('a', curves.p521)), ['ES512']],
  ['a key on another curve', createJwk(createTestKey('a', curves.k1)), []],
  ['a point beside the curve', createJwk(createTestKey('a', curves.p256), { x: 'AAAA' }), []],
  ['a symmetric key', createSecretKey(Buffer.alloc(32)).export({ format: 'jwk' }), []],
  ['no object', 'key', []],
  ['a list', [], []],
  ['nothing', null, []],
];
for (const [title, entry, algorithms] of entries)
  test(`an entry of a key set: ${title}`, async () => {
    const keys = await parseKeySet({ keys: [entry] }, everything);
    assert.deepEqual(
      keys.map(key => key.algorithms),
      algorithms.length > 0 ? [algorithms] : [],
    );
  });

test('an entry with a private key is read as its public key', async () => {
  const entry = { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'rsa' };
  const [key] = await parseKeySet({ keys: [entry] }, everything);
  assert.deepEqual(Object.keys(key?.key.toJSON(true) ?? {}).sort(), ['e', 'kid', 'kty', 'n', 'use']);
});

test('an invalid key set is refused, an empty one is not', async () => {
  for (const document of [undefined, null, [], 'keys', { keys: {} }, {}])
    await assert.rejects(parseKeySet(document, everything), /no list of keys/);
  assert.deepEqual(await parseKeySet({ keys: [] }, everything), []);
});

test('the number of keys that are read from a set, and tried for a token, is limited', async () => {
  const entries = Array.from({ length: 100 }, () => createJwk(rsa));
  const keys = await parseKeySet({ keys: entries }, everything);
  assert.equal(keys.length, 64);
  assert.equal(fittingKeys(keys, { keyId: undefined, algorithm: 'RS256' }).length, 8);
});

test('keys are selected by id and algorithm, and all are tried for a token without an id', async () => {
  const others = [
    createJwk(createTestKey('ec', curves.p256)),
    createJwk(createTestKey(undefined)),
    { kty: 'EC', kid: 'bad' },
  ];
  const keys = await parseKeySet(
    { keys: [createJwk(rsa), ...others, createJwk(createTestKey('rsa'))] },
    everything,
  );
  const listIds = (keyId: string | undefined, algorithm: string) =>
    fittingKeys(keys, { keyId, algorithm }).map(({ id }) => id);
  assert.deepEqual(listIds('rsa', 'RS256'), ['rsa', 'rsa']);
  assert.deepEqual(listIds('rsa', 'ES256'), []);
  assert.deepEqual(listIds('gone', 'RS256'), []);
  assert.deepEqual(listIds(undefined, 'RS256'), ['rsa', undefined, 'rsa']);
  assert.deepEqual(listIds(undefined, 'ES256'), ['ec']);
});
