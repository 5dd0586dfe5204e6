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
  /** Tokens are for the API server: asked for other audiences, they are not accepted. */
  readonly apiAudiences: readonly string[];
  readonly cacheTtl: CacheTtl;
  readonly metrics: Pick<OidcMetrics, 'undecided'>;
  readonly clock: () => number;
}

const rejected = (error: string): Decision => ({ kind: 'rejected', error });

/**
 * The id_tokens of an OpenID provider (spec 2, "OpenID Connect flags"). A token is this authenticator's when it is a JWT of the
 * issuer; then signature and claims decide. Where the keys that would decide cannot be fetched, the answer is `undecided`.
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

/** The payload under a good signature. `undecided`: the provider may have a key that fits, and does not give its keys. */
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
      // The next key may be the one; whatever is wrong with a stranger's token, the answer is the same.
    }
  }
  return undefined;
}

/** Longest token that is parsed, in characters. */
const maxTokenLength = 16 * 1024;
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The facts of a token about its signature. */
interface TokenHeader {
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

/** The issuer as the token claims it, to tell whose token it is. Decides on nothing else. */
function unverifiedIssuer(token: string): unknown {
  if (token.length > maxTokenLength || !compactForm.test(token)) return undefined;
  return parsePart(token.split('.')[1])?.iss;
}

/** The header of a token; undefined when it is malformed. */
function parseHeader(token: string): TokenHeader | undefined {
  const { alg, kid } = parsePart(token.split('.')[0]) ?? {};
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) return undefined;
  return { algorithm: alg, keyId: kid };
}

/** The claims in the bytes of a payload; undefined when they are no JSON object. */
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
