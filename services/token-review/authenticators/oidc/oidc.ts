import type { CallContext } from '@binnacle/proto';
import jose from 'node-jose';
import type { Authenticator, CacheTtl, Decision } from '../authenticator.ts';
import { asRecord } from './as-record.ts';
import { fittingKeys, type SigningKey } from './key-set.ts';
import type { OidcMetrics } from './oidc-metrics.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { findRefusal, userFrom } from './token-claims.ts';

/** Options of the authenticator of id_tokens. */
interface OidcAuthenticatorOptions {
  readonly settings: OidcSettings;
  readonly keys: Pick<ProviderKeys, 'keys' | 'refresh'>;
  /** Audiences of the API server, for which alone the tokens are valid. */
  readonly apiAudiences: readonly string[];
  readonly cacheTtl: CacheTtl;
  readonly metrics: Pick<OidcMetrics, 'undecided'>;
  readonly clock: () => number;
}

const rejected = (error: string): Decision => ({ kind: 'rejected', error });

/**
 * Creates the authenticator of the id_tokens of an OpenID provider (spec 2, "OpenID Connect flags"). It decides on JWTs of the issuer, by
 * signature and claims; the decision is `undecided` where the keys cannot be fetched.
 */
export function createOidcAuthenticator(options: OidcAuthenticatorOptions): Authenticator {
  const { settings, apiAudiences, cacheTtl, metrics } = options;
  return {
    name: 'oidc',
    cacheTtl,
    async authenticate(token, audiences, call): Promise<Decision> {
      if (unverifiedIssuer(token) !== settings.issuer) return { kind: 'unknown' };
      const header = parseHeader(token);
      if (!header) return rejected('the token is malformed');
      if (!settings.algorithms.includes(header.algorithm))
        return rejected('the token is signed with an algorithm that is not accepted');
      const payload = await verifiedPayload({ token, header, keys: options.keys, call });
      if (payload === 'undecided') {
        metrics.undecided();
        return { kind: 'undecided' };
      }
      if (payload === 'invalid') return rejected('the token is not signed by a key of its issuer');
      const shared = audiences.filter(audience => apiAudiences.includes(audience));
      if (shared.length === 0) return rejected('the token is for other audiences');
      return decideOnClaims(payload, shared, options);
    },
  };
}

function decideOnClaims(
  payload: Buffer,
  audiences: readonly string[],
  { settings, clock }: OidcAuthenticatorOptions,
): Decision {
  const claims = parseClaims(payload);
  if (!claims) return rejected('the token is malformed');
  const refusal = findRefusal(claims, settings, clock() / 1000);
  if (refusal !== undefined) return rejected(refusal);
  const user = userFrom(claims, settings);
  return typeof user === 'string' ? rejected(user) : { kind: 'authenticated', user, audiences };
}

interface Verification {
  readonly token: string;
  readonly header: TokenHeader;
  readonly keys: OidcAuthenticatorOptions['keys'];
  readonly call: CallContext;
}

/** Returns the payload under a valid signature; `undecided` where the provider may have a fitting key but does not answer. */
async function verifiedPayload(verification: Verification): Promise<Buffer | 'invalid' | 'undecided'> {
  const { header, keys, call } = verification;
  const before = keys.keys;
  const payload = before && (await payloadVerifiedBy(before, verification));
  if (payload) return payload;
  const hasNamedKey = before?.some(({ id }) => header.keyId !== undefined && id === header.keyId);
  if (hasNamedKey) return 'invalid';
  const isFresh = await keys.refresh(call);
  const after = keys.keys;
  const newPayload = after && after !== before && (await payloadVerifiedBy(after, verification));
  return newPayload || (isFresh ? 'invalid' : 'undecided');
}

async function payloadVerifiedBy(
  keys: readonly SigningKey[],
  { token, header }: Pick<Verification, 'token' | 'header'>,
): Promise<Buffer | undefined> {
  for (const { key } of fittingKeys(keys, header)) {
    try {
      const verifier = jose.JWS.createVerify(key, { algorithms: [header.algorithm] });
      const { payload } = await verifier.verify(token);
      return payload;
    } catch {
      // The next key may fit; any fault of an unverified token gets the same answer.
    }
  }
  return undefined;
}

/** Longest token that is parsed, in characters. */
const maxTokenLength = 16 * 1024;
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The header fields of a token about its signature. */
interface TokenHeader {
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

/** Reads the issuer from the unverified token, only to find out which authenticator decides. */
function unverifiedIssuer(token: string): unknown {
  if (token.length > maxTokenLength || !compactForm.test(token)) return undefined;
  return parsePart(token.split('.')[1])?.iss;
}

/** Parses the header of a token; returns undefined when it is malformed. */
function parseHeader(token: string): TokenHeader | undefined {
  const { alg, kid } = parsePart(token.split('.')[0]) ?? {};
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) return undefined;
  return { algorithm: alg, keyId: kid };
}

/** Parses the claims of a payload; returns undefined when it is no JSON object. */
function parseClaims(payload: Uint8Array): Readonly<Record<string, unknown>> | undefined {
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
