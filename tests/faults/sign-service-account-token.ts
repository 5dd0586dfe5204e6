import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { ApiObject } from '@binnacle/api-objects';

/** The issuer of the local forms. */
const issuer = 'https://binnacle.local';

/** A token of a service account, signed as any holder of the key would: nothing of token-review is used. */
export async function signServiceAccountToken(
  key: KeyObject,
  account: ApiObject,
  serial: string,
): Promise<string> {
  const { name, namespace, uid } = account.metadata;
  const seconds = Math.floor(Date.now() / 1000);
  const spki = createPublicKey(key as never).export({ type: 'spki', format: 'der' });
  const header = { alg: 'ES256', typ: 'JWT', kid: createHash('sha256').update(spki).digest('base64url') };
  const claims = {
    iss: issuer,
    sub: `system:serviceaccount:${namespace}:${name}`,
    aud: [issuer],
    exp: seconds + 600,
    nbf: seconds,
    jti: serial,
    'cluster.io': { namespace, serviceaccount: { name, uid } },
  };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
