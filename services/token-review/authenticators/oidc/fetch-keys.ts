import { asRecord } from './as-record.ts';
import { type FetchOptions, fetchJson } from './fetch-json.ts';
import { parseKeySet, type SigningKey } from './key-set.ts';
import type { OidcSettings } from './oidc-settings.ts';

/**
 * Fetches the discovery document of the issuer and the key set that it names (OpenID Connect Discovery 1.0, section 4). Both are
 * fetched each time, so that a key set that has moved is found. Throws an Error that says what is wrong with either.
 */
export async function fetchKeys(
  { issuer, ca, algorithms }: Pick<OidcSettings, 'issuer' | 'ca' | 'algorithms'>,
  signal: AbortSignal,
): Promise<readonly SigningKey[]> {
  const discovery = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = asRecord(await fetchJson(discovery, { ca, signal })) ?? {};
  if (document.issuer !== issuer)
    throw new Error('the discovery document of the provider names another issuer than --oidc-issuer-url');
  const keys: FetchOptions = { ca, signal };
  return await parseKeySet(await fetchJson(keySetUrl(document.jwks_uri), keys), algorithms);
}

/** The key set may have another host than the issuer, as large providers have it. */
function keySetUrl(text: unknown): URL {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error('the jwks_uri of the discovery document is not an https:// URL');
  return url;
}
