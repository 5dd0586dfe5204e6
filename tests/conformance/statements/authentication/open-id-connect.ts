import type { Statement } from '../../drivers/conformance-server.ts';

/** 2, "OpenID Connect flags". */
export const openIdConnectStatements: readonly Statement[] = [
  {
    place: '2/OpenID Connect/--oidc-issuer-url',
    says: 'The https address of the issuer; only its tokens are trusted.',
  },
  { place: '2/OpenID Connect/--oidc-client-id', says: 'All tokens must be issued for the client id.' },
  {
    place: '2/OpenID Connect/--oidc-username-claim',
    says: 'The claim that names the user, sub by default; other claims than email get the issuer as prefix.',
  },
  {
    place: '2/OpenID Connect/--oidc-username-prefix',
    says: 'The prefix of user names; <issuer># by default unless the claim is email; - switches it off.',
  },
  {
    place: '2/OpenID Connect/--oidc-groups-claim',
    says: 'The claim that holds the groups, an array of texts.',
  },
  { place: '2/OpenID Connect/--oidc-groups-prefix', says: 'The prefix of group names.' },
  {
    place: '2/OpenID Connect/--oidc-required-claim',
    says: 'key=value claims that must be present; repeatable.',
  },
  { place: '2/OpenID Connect/--oidc-ca-file', says: 'The authority of the certificate of the provider.' },
  { place: '2/OpenID Connect/--oidc-signing-algs', says: 'The accepted algorithms; RS256 by default.' },
  {
    place: '2/OpenID Connect/a',
    says: 'Signature and expiry are checked without asking the provider for each request.',
  },
];
