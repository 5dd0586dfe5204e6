import type { Statement } from '../../drivers/conformance-server.ts';

/** 2, "Principals", "Methods", "Bootstrap token secret", and the errors and limits that belong to them. */
export const methodStatements: readonly Statement[] = [
  {
    place: '2/Principals/1',
    says: 'Service accounts belong to a namespace, are made automatically or through the API, and pods name theirs.',
  },
  {
    place: '2/Principals/2',
    says: 'The subject of a client certificate of the cluster authority names the user: common name and organizations.',
  },
  { place: '2/Principals/3', says: 'All other requests are anonymous.' },
  { place: '2/Principals/a', says: 'Of several methods the first to succeed decides.' },
  {
    place: '2/Methods/client certificate',
    says: '--client-ca-file names a file of one or more authorities.',
  },
  {
    place: '2/Methods/static token file',
    says: 'A CSV file of token, name, uid and optional groups; its tokens do not expire.',
  },
  {
    place: '2/Methods/static token file, restart',
    says: 'A changed list needs a restart.',
    untestable: 'no request restarts a service',
  },
  { place: '2/Methods/bearer token', says: 'Authorization: Bearer <token>.' },
  {
    place: '2/Methods/bootstrap token',
    says: 'With --enable-bootstrap-token-auth its user is system:bootstrap:<token id> in system:bootstrappers.',
  },
  {
    place: '2/Methods/bootstrap token, cleaner',
    says: 'With --controllers=*,tokencleaner tokens that have expired are deleted.',
  },
  {
    place: '2/Methods/bootstrap token, signer',
    says: 'A public ConfigMap serves node discovery, and is signed by the bootstrap signer.',
  },
  {
    place: '2/Methods/service account token',
    says: 'A signed JWT; user and groups are those of the account; keys are RSA or ECDSA, several of them.',
  },
  {
    place: '2/Methods/service account token, lookup',
    says: 'With --service-account-lookup tokens that were deleted from the API are revoked.',
  },
  {
    place: '2/Methods/OpenID Connect',
    says: 'The id_token of the token response is the bearer token.',
  },
  {
    place: '2/Methods/webhook token',
    says: 'The server POSTs a TokenReview to the service of a client configuration file, as v1beta1 or v1.',
  },
  {
    place: '2/Methods/authenticating proxy',
    says: 'The identity is taken from request headers.',
  },
  {
    place: '2/Methods/other protocols',
    says: 'LDAP, SAML and Kerberos are integrated through the proxy or the webhook.',
    untestable: 'other programs speak these protocols; the proxy and the webhook have rows of their own',
  },
  {
    place: '2/Bootstrap token secret/a',
    says: 'A secret of type bootstrap.cluster.io/token in cluster-system; token [a-z0-9]{6}[.][a-z0-9]{16}.',
  },
  {
    place: '2/States and transitions/bootstrap token secret',
    says: 'When it expires the TokenCleaner deletes it.',
  },
  {
    place: '2/Errors/invalid bearer token',
    says: 'An invalid bearer token with anonymous access enabled is 401 Unauthorized.',
  },
  {
    place: '2/Errors/remote service refuses',
    says: 'authenticated: false of the remote token service fails the authentication.',
  },
  {
    place: '2/Limits/webhook token cache',
    says: 'Decisions of the token webhook are cached, by default for 2 minutes.',
  },
  {
    place: '2/Versioning/TokenReview',
    says: '--authentication-token-webhook-version chooses v1 or v1beta1; v1beta1 is the default.',
  },
];
