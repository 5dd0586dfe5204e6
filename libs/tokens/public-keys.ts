import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { algorithmFromKey, keyIdFromKey } from './token-key.ts';

/** A public key that service-account tokens are verified with, as verifiers elsewhere read it (RFC 7517). */
interface TokenJwk extends JsonWebKey {
  readonly use: 'sig';
  readonly kid: string;
  readonly alg: string;
}

/**
 * Reads the public keys of a PEM text: public keys, the public halves of private keys, and those of certificates, several to a
 * text. Other blocks, such as the parameters that `openssl` writes before a key, are passed over. Throws an Error for a block
 * that cannot be read, without quoting it.
 */
export function publicKeysFrom(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]*(?:KEY|CERTIFICATE))-----[\s\S]+?-----END \1-----/g) ?? [];
  return blocks.map(publicKeyFrom);
}

/** Writes a public key with its id and its one algorithm. Throws an Error for a key that cannot verify tokens. */
export function jwkFromKey(key: KeyObject): TokenJwk {
  return { use: 'sig', kid: keyIdFromKey(key), alg: algorithmFromKey(key), ...key.export({ format: 'jwk' }) };
}

function publicKeyFrom(block: string): KeyObject {
  try {
    return createPublicKey(block);
  } catch {
    // The reason that the crypto library gives may quote the key.
    throw new Error('a service-account key is not a key or certificate in PEM form');
  }
}
