import { jwkFromKey, publicKeysFrom } from '@binnacle/tokens';
import jose from 'node-jose';

/** A set of public keys that a token's signature is checked against; each is bound to one algorithm. */
export type VerificationKeys = jose.JWK.KeyStore;

/**
 * Reads keys from PEM texts: public or private keys, or certificates, RSA or ECDSA, several to a text (spec 2,
 * `--service-account-key-file`). Throws an Error for a text without a usable key.
 */
export async function readVerificationKeys(pems: readonly string[]): Promise<VerificationKeys> {
  const keys = jose.JWK.createKeyStore();
  for (const pem of pems) {
    const found = publicKeysFrom(pem);
    if (found.length === 0) throw new Error('no key in a service-account key file');
    for (const key of found) await keys.add({ ...jwkFromKey(key) }, 'json');
  }
  if (keys.all().length === 0) throw new Error('no service-account key file');
  return keys;
}
