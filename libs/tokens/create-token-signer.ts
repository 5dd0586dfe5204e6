import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { algorithmFromKey, keyIdFromKey } from './token-key.ts';

/** Signs claims as a JSON Web Token in compact serialization. */
export type TokenSigner = (claims: object) => Promise<string>;

const signAsync = promisify<string, Buffer, Parameters<typeof sign>[2], Buffer>(sign);

/**
 * Creates a signer from a private RSA or ECDSA key in PEM; the header holds the key id (`keyIdFromKey`). Signing does
 * not block the event loop. Throws an Error for a text that is no such key.
 */
export function createTokenSigner(pem: string): TokenSigner {
  const key = privateKeyFrom(pem);
  const algorithm = algorithmFromKey(key);
  const header = encoded({ alg: algorithm, kid: keyIdFromKey(key), typ: 'JWT' });
  const digest = `sha${algorithm.slice(-3)}`;
  // JSON Web Tokens use the ECDSA signature format IEEE P1363; RSA ignores this option.
  const signingKey = { key, dsaEncoding: 'ieee-p1363' } as const;
  return async claims => {
    const content = `${header}.${encoded(claims)}`;
    const signature = await signAsync(digest, Buffer.from(content), signingKey);
    return `${content}.${signature.toString('base64url')}`;
  };
}

function privateKeyFrom(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The error message of the crypto library may quote the key.
    throw new Error('the service-account signing key is not a private key in PEM form');
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
