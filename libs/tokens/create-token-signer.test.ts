import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { createTokenSigner } from './create-token-signer.ts';
import { algorithmFromKey, keyIdFromKey } from './token-key.ts';

const keys = [
  { algorithm: 'RS256', key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey },
  { algorithm: 'ES256', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
  { algorithm: 'ES384', key: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey },
  { algorithm: 'ES512', key: generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey },
];

describe('a token signer', () => {
  for (const { algorithm, key } of keys)
    it(`signs with ${algorithm}, and the public key verifies it`, async () => {
      const signToken = createTokenSigner(String(key.export({ type: 'pkcs8', format: 'pem' })));
      const [header = '', claims = '', signature = ''] = (await signToken({ sub: 'a' })).split('.');
      assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), {
        alg: algorithm,
        kid: keyIdFromKey(createPublicKey(key)),
        typ: 'JWT',
      });
      assert.deepEqual(JSON.parse(Buffer.from(claims, 'base64url').toString()), { sub: 'a' });
      const isGood = verify(
        `sha${algorithm.slice(-3)}`,
        Buffer.from(`${header}.${claims}`),
        { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      );
      assert.equal(isGood, true);
      assert.equal(algorithmFromKey(key), algorithm);
    });

  it('refuses an invalid key without quoting it', () => {
    assert.throws(() => createTokenSigner('secret text'), { message: /^(?!.*secret text)/ });
  });

  it('refuses key types that tokens are not signed with', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    assert.throws(
      () => createTokenSigner(String(privateKey.export({ type: 'pkcs8', format: 'pem' }))),
      /ed25519/,
    );
  });
});
