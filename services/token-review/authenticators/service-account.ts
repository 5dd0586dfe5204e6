import { auditKeys, userExtras } from '@binnacle/api-names';
import type { Storage } from '@binnacle/storage-contract';
import { secretTokenIssuer, signatureAlgorithms } from '@binnacle/tokens';
import jose from 'node-jose';
import type { Authenticator, CacheTtl, Decision } from './authenticator.ts';
import { isBoundToLiveObjects, isHeldBySecret } from './service-account-lookup.ts';
import type { TokenAgeMetrics } from './token-age-metrics.ts';
import { parseSecretTokenClaims, parseTokenClaims, type TokenClaims } from './token-claims.ts';
import type { VerificationKeys } from './verification-keys.ts';

/** Options of the service-account authenticator. */
interface ServiceAccountAuthenticatorOptions {
  readonly keys: VerificationKeys;
  readonly issuer: string;
  /** Audiences of the API server, for which alone tokens from Secrets are valid. */
  readonly apiAudiences: readonly string[];
  /** Store for looking up the account and the bound object of a token, so that tokens of deleted ones are refused. */
  readonly storage: Storage;
  /** Whether the account is looked up (`--service-account-lookup`); without it a token is valid until it expires. */
  readonly lookup: boolean;
  readonly cacheTtl: CacheTtl;
  readonly clock: () => number;
  readonly metrics: TokenAgeMetrics;
}

const rejected = (error: string): Decision => ({ kind: 'rejected', error });
/** Seconds by which clocks may differ. */
const leewaySeconds = 10;

/**
 * Creates the authenticator of signed service-account tokens (spec 2, "Service account token"): those that the API issues, and those in
 * Secrets. It decides on JWTs of either issuer, by signature, expiry, audience and the objects that they name.
 */
export function createServiceAccountAuthenticator(
  options: ServiceAccountAuthenticatorOptions,
): Authenticator {
  const { keys, storage, clock } = options;
  const verifier = jose.JWS.createVerify(keys, { algorithms: signatureAlgorithms });
  return {
    name: 'service-account',
    cacheTtl: options.cacheTtl,
    async authenticate(token, audiences, call): Promise<Decision> {
      const issuer = unverifiedIssuer(token);
      if (issuer !== options.issuer && issuer !== secretTokenIssuer) return { kind: 'unknown' };
      const claims = claimsFrom(await verifiedPayload(token, keys, verifier), options);
      if (!claims)
        return rejected('the token is not signed by a key of this server, or its claims are not complete');
      const refusal = findRefusal(claims, options);
      if (refusal) return rejected(refusal);
      const shared = audiences.filter(audience => claims.audiences.includes(audience));
      if (shared.length === 0) return rejected('the token is for other audiences');
      if (options.lookup) {
        const deletedBefore = clock() - leewaySeconds * 1000;
        const isGood = await (claims.heldBy === undefined
          ? isBoundToLiveObjects(claims, { storage, call, deletedBefore })
          : isHeldBySecret(token, claims, { storage, call, deletedBefore }));
        if (!isGood)
          return rejected('the service account of the token, or the object it is bound to, is gone');
      }
      const auditAnnotations = noteAge(claims, options);
      return {
        kind: 'authenticated',
        user: userFromClaims(claims),
        audiences: shared,
        ...(auditAnnotations && { auditAnnotations }),
      };
    },
  };
}

/** Reads the issuer from the unverified token, only to find out which authenticator decides. */
function unverifiedIssuer(token: string): unknown {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    return (payload as { iss?: unknown } | null)?.iss; // Read for comparison only.
  } catch {
    return undefined;
  }
}

async function verifiedPayload(
  token: string,
  keys: VerificationKeys,
  verifier: jose.JWS.Verifier,
): Promise<unknown> {
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    // Refused here, because the library accepts a token without a key id, or with another algorithm than that of the key.
    if (typeof header?.kid !== 'string' || keys.get(header.kid)?.alg !== header.alg) return undefined;
    const { payload } = await verifier.verify(token);
    return JSON.parse(payload.toString());
  } catch {
    return undefined; // Any fault of an unverified token gets the same answer.
  }
}

function claimsFrom(
  payload: unknown,
  { apiAudiences }: ServiceAccountAuthenticatorOptions,
): TokenClaims | undefined {
  return parseSecretTokenClaims(payload, apiAudiences) ?? parseTokenClaims(payload);
}

function findRefusal(claims: TokenClaims, options: ServiceAccountAuthenticatorOptions): string | undefined {
  const now = options.clock() / 1000;
  if (claims.heldBy === undefined && claims.issuer !== options.issuer)
    return 'the token is of another issuer';
  if (claims.expires < now - leewaySeconds) return 'the token has expired';
  if (claims.notBefore !== undefined && claims.notBefore > now + leewaySeconds)
    return 'the token is not valid yet';
  if (claims.subject !== formatUsername(claims)) return 'the subject of the token is not its service account';
  return undefined;
}

/** Counts a token by its age, and creates the audit annotation of a token past its requested lifetime. */
function noteAge(
  { warnAfter, subject }: TokenClaims,
  { metrics, clock }: ServiceAccountAuthenticatorOptions,
): Readonly<Record<string, string>> | undefined {
  if (warnAfter === undefined) return undefined;
  const late = Math.floor(clock() / 1000) - warnAfter;
  if (late <= 0) {
    metrics.valid();
    return undefined;
  }
  metrics.stale();
  return { [auditKeys.staleToken]: `subject: ${subject}, seconds after warning threshold: ${late}` };
}

function formatUsername(claims: TokenClaims): string {
  return `system:serviceaccount:${claims.namespace}:${claims.serviceAccount.name}`;
}

function userFromClaims(claims: TokenClaims) {
  return {
    username: formatUsername(claims),
    uid: claims.serviceAccount.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${claims.namespace}`],
    extra: claims.pod
      ? {
          [userExtras.podName]: { values: [claims.pod.name] },
          [userExtras.podUid]: { values: [claims.pod.uid] },
        }
      : {},
  };
}
