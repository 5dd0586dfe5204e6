import { type Flag, flagGroup, listFlag, stringFlag } from '@binnacle/flags';

/** A claim that every token must have, with its value. */
export interface RequiredClaim {
  readonly claim: string;
  readonly value: string;
}

/** The flags of OpenID Connect (spec 2, "OpenID Connect flags"). */
export const oidcFlags = flagGroup('OpenID Connect', {
  oidcIssuerUrl: stringFlag({
    description: 'URL of the OpenID provider whose id_tokens are accepted, https://; without it none are.',
  }),
  oidcClientId: stringFlag({ description: 'Client id that id_tokens must be issued for.' }),
  oidcUsernameClaim: stringFlag({ description: 'Claim that holds the user name.', default: 'sub' }),
  oidcUsernamePrefix: stringFlag({
    description:
      'Prefix of user names; default: the issuer URL and #, or none if the claim is email; - is no prefix.',
  }),
  oidcGroupsClaim: stringFlag({
    description: 'Claim that holds the groups, an array of strings or one string.',
  }),
  oidcGroupsPrefix: stringFlag({ description: 'Prefix of group names.' }),
  oidcRequiredClaim: requiredClaimFlag(
    'Claim that id_tokens must have, key=value; one claim for each use of the flag.',
  ),
  oidcCaFile: stringFlag({
    description:
      'PEM file of the certificate authority of the OpenID provider; default: the authorities of the host.',
  }),
  oidcSigningAlgs: listFlag({
    description: 'Signature algorithms that are accepted: RS, ES and PS with 256, 384 or 512.',
    default: ['RS256'],
  }),
});

/** Creates a flag for required claims: one claim for each use of the flag, because values may contain commas. */
function requiredClaimFlag(description: string): Flag<readonly RequiredClaim[]> {
  return {
    description,
    placeholder: 'key=value',
    repeatable: true,
    required: false,
    defaultValue: [],
    defaultText: '',
    parse: parseRequiredClaims,
  };
}

function parseRequiredClaims(texts: readonly string[]): readonly RequiredClaim[] {
  const values = new Map<string, string>();
  for (const text of texts) {
    if (text === '') continue;
    const end = text.indexOf('=');
    const [claim, value] = [text.slice(0, Math.max(end, 0)).trim(), text.slice(end + 1)];
    if (claim === '') throw new Error('must be key=value');
    if (values.has(claim)) throw new Error(`names the claim ${claim} more than once`);
    values.set(claim, value);
  }
  return [...values].map(([claim, value]) => ({ claim, value }));
}
