import { readFile } from 'node:fs/promises';
import type { FollowedFiles } from '@binnacle/backend-access';
import { readFlagFile } from '@binnacle/flags';
import {
  bindingClaim,
  createTokenSigner,
  podTokenSeconds,
  type TokenBinding,
  type TokenSigner,
} from '@binnacle/tokens';

/** The key and the issuer of service-account tokens. */
export interface TokenIssuerOptions {
  /** The private key in PEM form, RSA or ECDSA, for the tokens that are signed at this moment. */
  readonly signingKey: string;
  readonly issuer: string;
  /** The audiences of tokens that are asked for without any. */
  readonly audiences: readonly string[];
  /** Whether the tokens that admission projects into pods stay valid for a year; default true. */
  readonly extendExpiration?: boolean;
}

/** A token that is to be issued. */
interface TokenOrder {
  readonly binding: TokenBinding;
  readonly audiences: readonly string[];
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** The lifetime that was requested. */
  readonly seconds: number;
}

/** Issues service-account tokens (spec 2, "Service account token"). */
export interface TokenIssuer {
  readonly audiences: readonly string[];
  /**
   * Signs a token. One that is bound to a pod, for this server alone, with the lifetime that admission writes into each pod is
   * meant for a program that may read its token only once: it stays valid for a year, and names the end of the requested
   * lifetime as `warnafter`.
   */
  issue(order: TokenOrder): Promise<string>;
}

const extendedSeconds = 365 * 24 * 60 * 60;

/** Creates an issuer. Throws an Error for a key that tokens cannot be signed with. */
export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const { issuer, audiences: own, extendExpiration = true } = options;
  let signer = { key: options.signingKey, sign: createTokenSigner(options.signingKey) };
  const sign: TokenSigner = claims => {
    const { signingKey: key } = options;
    if (key !== signer.key) signer = { key, sign: createTokenSigner(key) };
    return signer.sign(claims);
  };
  const isExtended = ({ binding, audiences, seconds }: TokenOrder) =>
    extendExpiration &&
    seconds === podTokenSeconds &&
    binding.pod !== undefined &&
    audiences.every(audience => own.includes(audience));
  return {
    audiences: own,
    issue(order) {
      const { binding, audiences: aud, issuedAt, seconds } = order;
      const extended = isExtended(order);
      return sign({
        aud,
        exp: issuedAt + (extended ? extendedSeconds : seconds),
        iat: issuedAt,
        iss: issuer,
        [bindingClaim]: extended ? { ...binding, warnafter: issuedAt + seconds } : binding,
        nbf: issuedAt,
        sub: `system:serviceaccount:${binding.namespace}:${binding.serviceaccount.name}`,
      });
    },
  };
}

/** Reads the signing key of service-account tokens, and follows its file; undefined: none are issued. */
export async function serviceAccountTokensFromFlags(
  flags: {
    readonly serviceAccountSigningKeyFile: string | undefined;
    readonly serviceAccountIssuer: string;
    readonly serviceAccountExtendTokenExpiration: boolean;
    readonly apiAudiences: readonly string[];
  },
  files?: FollowedFiles,
): Promise<TokenIssuerOptions | undefined> {
  const { serviceAccountSigningKeyFile: file, serviceAccountIssuer: issuer, apiAudiences } = flags;
  if (!file) return undefined;
  const audiences = apiAudiences.length > 0 ? apiAudiences : [issuer];
  const extendExpiration = flags.serviceAccountExtendTokenExpiration;
  const read = () =>
    readFlagFile('serviceAccountSigningKeyFile', file, async path => {
      const key = await readFile(path, 'utf8');
      createTokenSigner(key);
      return key;
    });
  const first = await read();
  const current = files?.follow('--service-account-signing-key-file', { first, read });
  return {
    get signingKey() {
      return current?.() ?? first;
    },
    issuer,
    audiences,
    extendExpiration,
  };
}
