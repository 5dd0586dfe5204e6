import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FollowedFiles } from '@binnacle/backend-access';
import { FlagError, type FlagValues } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { pemCertificates } from '@binnacle/tls';
import { oidcFlags, type RequiredClaim } from './oidc-flags.ts';
import { keyFormOf } from './signing-algorithms.ts';

/** Settings of OpenID Connect: the accepted id_tokens, and the mapping of their claims to users. */
export interface OidcSettings {
  /** Issuer, to match those in tokens and the discovery document literally. */
  readonly issuer: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  /** Prefix of user names; may be empty. */
  readonly usernamePrefix: string;
  /** Claim with the groups; undefined: tokens give no groups. */
  readonly groupsClaim: string | undefined;
  /** Prefix of groups; may be empty. */
  readonly groupsPrefix: string;
  readonly requiredClaims: readonly RequiredClaim[];
  /** Authorities of the provider's certificate, PEM, as the file has them at the moment; undefined: those of the host. */
  readonly ca: Buffer | undefined;
  /** Accepted signature algorithms, all of them in `keyFormOf`. */
  readonly algorithms: readonly string[];
}

type OidcFlagValues = FlagValues<typeof oidcFlags>;

/**
 * Reads the settings of OpenID Connect, and follows the file of authorities; undefined without `--oidc-issuer-url`. Throws a FlagError for
 * flags that contradict each other and for an authority file without a certificate. An empty text counts as not set.
 */
export async function oidcSettingsFrom(
  flags: OidcFlagValues,
  files?: FollowedFiles,
): Promise<OidcSettings | undefined> {
  const issuer = flags.oidcIssuerUrl || undefined;
  if (issuer === undefined) {
    const given = Object.entries(oidcFlags).some(([name, flag]) => isGiven(flags, name, flag.defaultText));
    if (given) throw new FlagError('the other --oidc flags need --oidc-issuer-url');
    return undefined;
  }
  assertIssuer(issuer);
  if (!flags.oidcClientId) throw new FlagError('--oidc-issuer-url needs --oidc-client-id');
  if (!flags.oidcUsernameClaim) throw new FlagError('--oidc-username-claim must not be empty');
  if (flags.oidcGroupsPrefix && !flags.oidcGroupsClaim)
    throw new FlagError('--oidc-groups-prefix needs --oidc-groups-claim');
  assertAlgorithms(flags.oidcSigningAlgs);
  const { oidcCaFile } = flags;
  const first = oidcCaFile ? await readAuthorities(oidcCaFile) : undefined;
  const current =
    oidcCaFile && files?.follow('--oidc-ca-file', { first, read: () => readAuthorities(oidcCaFile) });
  return {
    issuer,
    clientId: flags.oidcClientId,
    usernameClaim: flags.oidcUsernameClaim,
    usernamePrefix: chooseUsernamePrefix(flags, issuer),
    groupsClaim: flags.oidcGroupsClaim || undefined,
    groupsPrefix: flags.oidcGroupsPrefix ?? '',
    requiredClaims: flags.oidcRequiredClaim,
    get ca() {
      return current ? current() : first;
    },
    algorithms: flags.oidcSigningAlgs,
  };
}

function isGiven(flags: OidcFlagValues, name: string, defaultText: string): boolean {
  const value = new Map<string, unknown>(Object.entries(flags)).get(name);
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text !== '' && text !== defaultText;
}

function assertIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== 'https:') throw new FlagError('--oidc-issuer-url must be an https:// URL');
  if (url.username !== '' || url.password !== '' || /[?#\s]/.test(issuer))
    throw new FlagError('--oidc-issuer-url must have no user, query or fragment');
}

function assertAlgorithms(algorithms: readonly string[]): void {
  if (algorithms.length === 0) throw new FlagError('--oidc-signing-algs must name an algorithm');
  const refused = algorithms.find(algorithm => !keyFormOf.has(algorithm));
  if (refused !== undefined)
    throw new FlagError(
      `--oidc-signing-algs must be of ${[...keyFormOf.keys()].join(', ')}; ${refused} is not accepted`,
    );
}

function chooseUsernamePrefix(
  { oidcUsernamePrefix, oidcUsernameClaim }: OidcFlagValues,
  issuer: string,
): string {
  if (oidcUsernamePrefix === '-') return '';
  if (oidcUsernamePrefix) return oidcUsernamePrefix;
  return oidcUsernameClaim === 'email' ? '' : `${issuer}#`;
}

async function readAuthorities(file: string): Promise<Buffer> {
  const pem = await readFile(file).catch((cause: unknown) => {
    throw new FlagError(`--oidc-ca-file: ${errorMessage(cause)}`);
  });
  try {
    const certificates = pemCertificates(pem).map(text => new X509Certificate(text));
    if (certificates.length > 0) return pem;
  } catch {
    // Reported below: an unreadable certificate counts as none.
  }
  throw new FlagError(`--oidc-ca-file: ${file} has no certificate, or one that cannot be read`);
}
