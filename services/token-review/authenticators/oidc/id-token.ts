import { asRecord } from './as-record.ts';

/** Longest token that is parsed, in characters. */
const maxTokenLength = 16 * 1024;
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The facts of a token about its signature. */
export interface TokenHeader {
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

/** The issuer as the token claims it, to tell whose token it is. Decides on nothing else. */
export function unverifiedIssuer(token: string): unknown {
  if (token.length > maxTokenLength || !compactForm.test(token)) return undefined;
  return parsePart(token.split('.')[1])?.iss;
}

/** The header of a token; undefined when it is malformed. */
export function parseHeader(token: string): TokenHeader | undefined {
  const { alg, kid } = parsePart(token.split('.')[0]) ?? {};
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) return undefined;
  return { algorithm: alg, keyId: kid };
}

/** The claims in the bytes of a payload; undefined when they are no JSON object. */
export function parseClaims(payload: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return asRecord(JSON.parse(decoder.decode(payload)));
  } catch {
    return undefined;
  }
}

function parsePart(part = ''): Readonly<Record<string, unknown>> | undefined {
  return parseClaims(Buffer.from(part, 'base64url'));
}
