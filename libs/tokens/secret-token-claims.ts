import { tokens } from '@binnacle/api-names';
import type { BoundObject } from './binding-claim.ts';

/**
 * The issuer of service-account tokens that are kept in a Secret. They have no expiry and no audience: they are good for the API
 * server alone, for as long as the Secret holds them.
 */
export const secretTokenIssuer = tokens.secretIssuer;

/** The names of the claims of such a token. */
export const secretTokenClaim = {
  namespace: `${tokens.secretClaims}namespace`,
  secretName: `${tokens.secretClaims}secret.name`,
  accountName: `${tokens.secretClaims}service-account.name`,
  accountUid: `${tokens.secretClaims}service-account.uid`,
} as const;

/** The content of such a token. */
interface SecretTokenContent {
  readonly namespace: string;
  readonly secretName: string;
  readonly account: BoundObject;
}

/** The claims of the token that a Secret holds for an account (spec 2, "Service account token"). */
export function secretTokenClaims({ namespace, secretName, account }: SecretTokenContent): {
  readonly [claim: string]: string;
} {
  return {
    iss: secretTokenIssuer,
    [secretTokenClaim.namespace]: namespace,
    [secretTokenClaim.secretName]: secretName,
    [secretTokenClaim.accountName]: account.name,
    [secretTokenClaim.accountUid]: account.uid,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
  };
}
