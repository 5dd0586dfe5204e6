import { bindingClaim, createTokenSigner, type TokenBinding } from '@binnacle/service-kit';

/** What the server signs service-account tokens with and as. */
export interface TokenIssuerOptions {
  /** The private key in PEM form, RSA or ECDSA. */
  readonly signingKey: string;
  readonly issuer: string;
  /** The audiences of tokens that are asked for without any. */
  readonly audiences: readonly string[];
}

/** A token that is to be issued. */
interface TokenOrder {
  readonly binding: TokenBinding;
  readonly audiences: readonly string[];
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Issues service-account tokens (spec 2, "Service account token"). */
export interface TokenIssuer {
  readonly audiences: readonly string[];
  issue(order: TokenOrder): Promise<string>;
}

/** Creates an issuer. Throws an Error for a key that tokens cannot be signed with. */
export function createTokenIssuer({ signingKey, issuer, audiences }: TokenIssuerOptions): TokenIssuer {
  const sign = createTokenSigner(signingKey);
  return {
    audiences,
    issue: ({ binding, audiences: aud, issuedAt, expiresAt }) =>
      sign({
        aud,
        exp: expiresAt,
        iat: issuedAt,
        iss: issuer,
        [bindingClaim]: binding,
        nbf: issuedAt,
        sub: `system:serviceaccount:${binding.namespace}:${binding.serviceaccount.name}`,
      }),
  };
}
