import { groups, namespaces, secretTypes } from '@binnacle/api-names';
import {
  addressFlags,
  apiAudiencesFlag,
  booleanFlag,
  choiceFlag,
  durationFlag,
  flagGroup,
  listFlag,
  portFlag,
  serviceAccountIssuerFlag,
  serviceFlags,
  stringFlag,
  tracingFlags,
} from '@binnacle/flags';
import { oidcFlags } from './authenticators/oidc/oidc-flags.ts';

/** The flags of the accepted tokens, which the standalone form has too. */
export const tokenFlags = flagGroup('Authentication', {
  tokenAuthFile: stringFlag({
    description: 'CSV file of token, user name, user uid and, optionally, group names.',
  }),
  serviceAccountKeyFile: listFlag({
    description: 'PEM files of the RSA or ECDSA keys that service-account tokens are verified with.',
  }),
  serviceAccountIssuer: serviceAccountIssuerFlag('Issuer that service-account tokens must name.'),
  serviceAccountLookup: booleanFlag({
    description:
      'Check that the service account of a token, and the secret or pod it names, still exist; other tokens are refused.',
    default: true,
  }),
  ...oidcFlags,
  enableBootstrapTokenAuth: booleanFlag({
    description: `Bootstrap tokens: secrets of type ${secretTypes.bootstrapToken} in ${namespaces.system} authenticate nodes that join.`,
  }),
  apiAudiences: apiAudiencesFlag,
  authenticationTokenWebhookConfigFile: stringFlag({
    description: 'Client configuration file of a webhook that bearer tokens are sent to, as TokenReviews.',
  }),
  authenticationTokenWebhookCacheTtl: durationFlag({
    description: 'Time for which answers of the token webhook are cached; refusals for 10s at most.',
    default: 120_000,
  }),
  authenticationTokenWebhookVersion: choiceFlag(['v1beta1', 'v1'], {
    description: `Version of ${groups.authentication} of the TokenReviews sent to the token webhook.`,
    default: 'v1beta1',
  }),
  tokenSuccessCacheTtl: durationFlag({
    description: 'Time for which an accepted token is cached.',
    default: 10_000,
  }),
  tokenFailureCacheTtl: durationFlag({
    description: 'Time for which a refused token is cached.',
    default: 2_000,
  }),
});

/** The flags of token-review. */
export const tokenReviewFlags = flagGroup('Calls', {
  ...serviceFlags,
  ...tracingFlags,
  ...tokenFlags,
  host: stringFlag({ description: 'Address to serve on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port to serve on.', default: 7004 }),
  redisUrl: stringFlag({
    description:
      'Redis address (redis:// or rediss://) for decisions that pods share; without it each keeps its own.',
  }),
  redisCaFile: stringFlag({ description: 'PEM file of the certificate authority of Redis.' }),
  redisCertFile: stringFlag({ description: 'PEM file of the client certificate for Redis.' }),
  redisKeyFile: stringFlag({ description: 'PEM file of the key of that certificate.' }),
  redisUsername: stringFlag({ description: 'User of Redis; `default` when only a password is given.' }),
  redisPasswordFile: stringFlag({
    description: 'File with the password for Redis, read again for each connection.',
  }),
  storageAddresses: addressFlags.storageAddresses,
});
