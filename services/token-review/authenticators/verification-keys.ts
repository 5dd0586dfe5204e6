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

/** Replaces the keys of a set by those of PEM texts. Throws as `readVerificationKeys` does, and then changes nothing. */
export async function replaceKeys(keys: VerificationKeys, pems: readonly string[]): Promise<void> {
  const wanted = (await readVerificationKeys(pems)).all();
  const wantedIds = new Set(wanted.map(({ kid }) => kid));
  const present = keys.all();
  const presentIds = new Set(present.map(({ kid }) => kid));
  for (const key of wanted) if (!presentIds.has(key.kid)) await keys.add(key);
  for (const key of present) if (!wantedIds.has(key.kid)) keys.remove(key);
}
