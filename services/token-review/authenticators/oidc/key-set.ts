import { createPublicKey, type KeyObject } from 'node:crypto';
import jose from 'node-jose';
import { asRecord } from './as-record.ts';
import { keyFormOf } from './signing-algorithms.ts';

/** A public key of the provider. */
export interface SigningKey {
  /** Key id; undefined where the key set has none. */
  readonly id: string | undefined;
  /** The algorithms of its signatures: those of its type, or the one that the key set names. */
  readonly algorithms: readonly string[];
  readonly key: jose.JWK.Key;
}

/** The most keys that are read. */
const maxKeys = 64;
/** The most keys that are tried for a token without a key id, so that unauthenticated requests stay cheap. */
const maxKeysTried = 8;
/** Bits of RSA keys: RFC 7518 requires at least 2048, and longer keys make a verification expensive. */
const rsaBits = { least: 2048, most: 8192 };
const mostRsaExponent = 2n ** 32n;

/**
 * Parses the signing keys of a key set (RFC 7517). Skips entries that are unreadable or no signing keys for one of the algorithms.
 * Throws an Error for what is no key set.
 */
export async function parseKeySet(
  document: unknown,
  algorithms: readonly string[],
): Promise<readonly SigningKey[]> {
  const { keys } = asRecord(document) ?? {};
  if (!Array.isArray(keys)) throw new Error('the key set of the provider has no list of keys');
  const signing: SigningKey[] = [];
  for (const candidate of keys) {
    const key = await signingKeyFrom(candidate, algorithms);
    if (key && signing.push(key) >= maxKeys) break;
  }
  return signing;
}

/**
 * Selects the keys to try for a signature: those with the key id, or all where there is none, that fit the algorithm; at most eight.
 */
export function fittingKeys(
  keys: readonly SigningKey[],
  { keyId, algorithm }: { readonly keyId: string | undefined; readonly algorithm: string },
): readonly SigningKey[] {
  return keys
    .filter(key => (keyId === undefined || key.id === keyId) && key.algorithms.includes(algorithm))
    .slice(0, maxKeysTried);
}

async function signingKeyFrom(
  candidate: unknown,
  accepted: readonly string[],
): Promise<SigningKey | undefined> {
  const { use, key_ops: operations, alg, kid, ...rest } = asRecord(candidate) ?? {};
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    return undefined;
  const material = publicMaterial(rest);
  const form = material && keyFormIn(material);
  const algorithms = accepted.filter(
    algorithm => keyFormOf.get(algorithm) === form && (alg === undefined || alg === algorithm),
  );
  if (!material || algorithms.length === 0) return undefined;
  const id = typeof kid === 'string' ? kid : undefined;
  return { id, algorithms, key: await jose.JWK.asKey({ ...material.export({ format: 'jwk' }), use: 'sig' }) };
}

/** Reads only the public key of an entry; symmetric keys have none. */
function publicMaterial({ kty, n, e, crv, x, y }: Record<string, unknown>): KeyObject | undefined {
  if (kty !== 'RSA' && kty !== 'EC') return undefined;
  const fields = Object.entries(kty === 'RSA' ? { n, e } : { crv, x, y });
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  try {
    return createPublicKey({ key: { kty, ...Object.fromEntries(texts) }, format: 'jwk' });
  } catch {
    return undefined; // No point of its curve, or a part is missing.
  }
}

const curveNames: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

function keyFormIn({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string | undefined {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType !== 'rsa') return curveNames[namedCurve];
  const isBounded = modulusLength >= rsaBits.least && modulusLength <= rsaBits.most;
  return isBounded && publicExponent > 1n && publicExponent <= mostRsaExponent ? 'RSA' : undefined;
}
