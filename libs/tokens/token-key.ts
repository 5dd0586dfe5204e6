import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** The signature algorithms of service-account tokens. All others are refused, in particular `none` and the HMAC family. */
export const signatureAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512'];

const algorithmOfCurve: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Returns the id of a key: a digest of its public key, which every signer and verifier computes alike. */
export function keyIdFromKey(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

/** Returns the signature algorithm of a key. Throws an Error for a key that cannot sign tokens. */
export function algorithmFromKey(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = algorithmOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (!algorithm)
    throw new Error(`a key of type ${key.asymmetricKeyType} cannot be used for service-account tokens`);
  return algorithm;
}
