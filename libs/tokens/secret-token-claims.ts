import { tokens } from '@binnacle/api-names';
import type { BoundObject } from './binding-claim.ts';

/**
 * The issuer of service-account tokens stored in a Secret. These tokens have no expiry and no audience: only the API
 * server accepts them, while the Secret holds them.
 */
export const secretTokenIssuer = tokens.secretIssuer;

/** The claim names of a Secret's token. */
export const secretTokenClaim = {
  namespace: `${tokens.secretClaims}namespace`,
  secretName: `${tokens.secretClaims}secret.name`,
  accountName: `${tokens.secretClaims}service-account.name`,
  accountUid: `${tokens.secretClaims}service-account.uid`,
} as const;

/** The content of a Secret's token. */
interface SecretTokenContent {
  readonly namespace: string;
  readonly secretName: string;
  readonly account: BoundObject;
}

/** Returns the claims of a Secret's token for an account (spec 2, "Service account token"). */
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
