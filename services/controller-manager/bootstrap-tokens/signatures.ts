import { createHmac } from 'node:crypto';
import { type BootstrapToken, bootstrapTokenFrom, bootstrapTokenPrefix } from '@binnacle/api-types';
import type { ConfigMap, Secret } from '@binnacle/api-types/core/v1';

const signedKey = 'kubeconfig';
const signaturePrefix = 'jws-kubeconfig-';
const nameForm = new RegExp(`^${bootstrapTokenPrefix}([a-z0-9]{6})$`);

/** Finds the token of a Secret that may sign: not expired, usable for signing, and with the id in the Secret's name. */
export function findSigningToken(secret: Secret, now: number): BootstrapToken | undefined {
  const token = bootstrapTokenFrom(secret);
  const [, id] = nameForm.exec(secret.metadata.name ?? '') ?? [];
  if (token === undefined || id !== token.id || token.secret === '' || secret.metadata.deletionTimestamp)
    return undefined;
  return token.usableForSigning && token.expiresAt > now ? token : undefined;
}

/**
 * Creates the data of `cluster-info` with a signature of its client configuration by each token and no others; undefined where the
 * data is up to date, and where there is nothing to sign.
 */
export function signedData(
  { data = {} }: Pick<ConfigMap, 'data'>,
  tokens: readonly BootstrapToken[],
): Record<string, string> | undefined {
  const content = data[signedKey];
  if (content === undefined) return undefined;
  const rest = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = tokens.map(token => [
    `${signaturePrefix}${token.id}`,
    detachedSignature(content, token),
  ]);
  const signed: Record<string, string> = Object.fromEntries([...rest, ...signatures]);
  const keys = Object.keys(signed);
  const isSigned = keys.length === Object.keys(data).length && keys.every(key => data[key] === signed[key]);
  return isSigned ? undefined : signed;
}

/**
 * Creates a JSON Web Signature with detached content (RFC 7515, appendix F), by HS256. Joining clients compute it too and compare the
 * texts, so the header has these members in this order.
 */
function detachedSignature(content: string, { id, secret }: BootstrapToken): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url');
  const signed = `${header}.${Buffer.from(content).toString('base64url')}`;
  return `${header}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
