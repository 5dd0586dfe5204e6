import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { jwkFromKey, publicKeysFrom } from './public-keys.ts';
import { keyIdFromKey } from './token-key.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curves = [
  { curve: 'P-256', alg: 'ES256' },
  { curve: 'P-384', alg: 'ES384' },
  { curve: 'P-521', alg: 'ES512' },
] as const;
const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki') =>
  String(key.export({ type, format: 'pem' }));
const listIds = (text: string) => publicKeysFrom(text).map(keyIdFromKey);

for (const { curve, alg } of curves)
  test(`keys on ${curve} are read from private or public keys and written as JSON web keys`, () => {
    const pair = generateKeyPairSync('ec', { namedCurve: curve });
    const id = keyIdFromKey(pair.publicKey);
    const texts = [pem(pair.publicKey, 'spki'), pem(pair.privateKey, 'pkcs8'), pem(pair.privateKey, 'sec1')];
    assert.deepEqual(texts.flatMap(listIds), [id, id, id]);
    const jwk = jwkFromKey(pair.publicKey);
    assert.deepEqual(Object.keys(jwk).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    assert.deepEqual([jwk.use, jwk.kid, jwk.alg, jwk.crv], ['sig', id, alg, curve]);
    assert.equal(keyIdFromKey(createPublicKey({ key: jwk, format: 'jwk' })), id);
  });

test('an RSA key is written without its private part', () => {
  const [key] = publicKeysFrom(pem(rsa.privateKey, 'pkcs1'));
  assert.ok(key);
  assert.deepEqual(Object.keys(jwkFromKey(key)).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
  assert.equal(jwkFromKey(key).alg, 'RS256');
});

test('several keys can be in one file with other blocks', () => {
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const text = `${parameters}${pem(key, 'sec1')}\nnote\n${pem(rsa.publicKey, 'spki')}`;
  assert.deepEqual(listIds(text), [keyIdFromKey(key), keyIdFromKey(rsa.publicKey)]);
  assert.deepEqual(listIds(parameters), []);
});

test('an invalid block is refused without being quoted', () => {
  const text = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';
  assert.throws(() => publicKeysFrom(text), { message: /^(?!.*c2VjcmV0)/ });
});
