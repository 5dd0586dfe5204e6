/** The form of an algorithm's keys: RSA, or a curve. */
type KeyForm = 'RSA' | 'P-256' | 'P-384' | 'P-521';

/** Signature algorithms of id_tokens and their keys; `none` and the HMAC family are never accepted. */
export const keyFormOf: ReadonlyMap<string, KeyForm> = new Map<string, KeyForm>([
  ['RS256', 'RSA'],
  ['RS384', 'RSA'],
  ['RS512', 'RSA'],
  ['PS256', 'RSA'],
  ['PS384', 'RSA'],
  ['PS512', 'RSA'],
  ['ES256', 'P-256'],
  ['ES384', 'P-384'],
  ['ES512', 'P-521'],
]);
