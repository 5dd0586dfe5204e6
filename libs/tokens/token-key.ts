import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** Signature algorithms of service-account tokens. Nothing else is tried, `none` and the HMAC family least of all. */
export const signatureAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512'];

const algorithmOfCurve: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** The id of a key: a digest of its public half, so that every signer and verifier works out the same one. */
export function keyIdFromKey(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

/** The one signature algorithm that a key is used with. Throws an Error for a key that cannot sign tokens. */
export function algorithmFromKey(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = algorithmOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (!algorithm)
    throw new Error(`a key of type ${key.asymmetricKeyType} cannot be used for service-account tokens`);
  return algorithm;
}
