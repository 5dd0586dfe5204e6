import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import jose from 'node-jose';

/** A set of public keys that a token's signature is checked against; each is bound to one algorithm. */
export type VerificationKeys = jose.JWK.KeyStore;

/** Signature algorithms of service-account tokens. Nothing else is tried, `none` and the HMAC family least of all. */
export const signatureAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512'];

const algorithmOfCurve: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/**
 * Reads keys from PEM texts: public or private keys, or certificates, RSA or ECDSA, several to a text (spec 2,
 * `--service-account-key-file`). Throws an Error for a text without a usable key.
 */
export async function readVerificationKeys(pems: readonly string[]): Promise<VerificationKeys> {
  const keys = jose.JWK.createKeyStore();
  for (const pem of pems.flatMap(splitPem)) {
    const key = createPublicKey(pem);
    await keys.add(
      { ...key.export({ format: 'jwk' }), kid: keyIdOf(key), alg: algorithmOf(key), use: 'sig' },
      'json',
    );
  }
  if (keys.all().length === 0) throw new Error('no key in the service-account key files');
  return keys;
}

/** The id of a key: a digest of its public half, so that every signer and verifier works out the same one. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

/** The one signature algorithm that a key is used with. Throws an Error for a key that cannot sign tokens. */
export function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = algorithmOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (!algorithm)
    throw new Error(`a key of type ${key.asymmetricKeyType} cannot verify service-account tokens`);
  return algorithm;
}

function splitPem(text: string): string[] {
  return text.match(/-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/g) ?? [];
}
