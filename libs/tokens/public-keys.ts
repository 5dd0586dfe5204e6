import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { algorithmFromKey, keyIdFromKey } from './token-key.ts';

/** A public key that verifies service-account tokens, as a JSON Web Key (RFC 7517). */
interface TokenJwk extends JsonWebKey {
  readonly use: 'sig';
  readonly kid: string;
  readonly alg: string;
}

/**
 * Reads the public keys of a PEM text: public keys, and those of private keys and certificates. Other blocks are
 * skipped, such as the parameters that `openssl` writes before a key. Throws an Error for an unreadable block, without
 * quoting it.
 */
export function publicKeysFrom(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]*(?:KEY|CERTIFICATE))-----[\s\S]+?-----END \1-----/g) ?? [];
  return blocks.map(publicKeyFrom);
}

/** Converts a public key to a JSON Web Key with its id and algorithm. Throws an Error for a key that cannot verify tokens. */
export function jwkFromKey(key: KeyObject): TokenJwk {
  return { use: 'sig', kid: keyIdFromKey(key), alg: algorithmFromKey(key), ...key.export({ format: 'jwk' }) };
}

function publicKeyFrom(block: string): KeyObject {
  try {
    return createPublicKey(block);
  } catch {
    // The error message of the crypto library may quote the key.
    throw new Error('a service-account key is not a key or certificate in PEM form');
  }
}
