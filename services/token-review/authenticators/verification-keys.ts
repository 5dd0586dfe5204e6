import { createPublicKey } from 'node:crypto';
import { algorithmOf, keyIdOf } from '@binnacle/service-kit';
import jose from 'node-jose';

/** A set of public keys that a token's signature is checked against; each is bound to one algorithm. */
export type VerificationKeys = jose.JWK.KeyStore;

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

function splitPem(text: string): string[] {
  return text.match(/-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/g) ?? [];
}
