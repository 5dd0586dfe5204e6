import { objects } from '@binnacle/api-names';
import {
  addressFlags,
  apiAudiencesFlag,
  booleanFlag,
  changeFeedFlag,
  choiceFlag,
  durationFlag,
  flagGroup,
  integerFlag,
  listFlag,
  optionalBooleanFlag,
  portFlag,
  runtimeConfigFlag,
  serviceAccountIssuerFlag,
  serviceFlags,
  stringFlag,
  tlsReloadIntervalFlag,
  tracingFlags,
} from '@binnacle/flags';
import { defaultDeniedNetworks } from '@binnacle/network-filter';
import { kafkaFlags } from '@binnacle/service-kit';
import { aliasFlags } from './alias-flags.ts';
import { auditFlags } from './audit-flags.ts';
import { authorityFlags, proxyFlags } from './authenticating-proxy-flags.ts';
import { authorizationFileFlags, authorizationFlags } from './authorization-flags.ts';
import { connectionFlags } from './connection-flags.ts';
import { watchCacheFlags } from './watch-cache-flags.ts';

const apiService = `default/${objects.apiService}`;

/** The flags of serving the API. */
const servingFlags = flagGroup('API', {
  bindAddress: stringFlag({ description: 'Address that the API is served on.', default: '127.0.0.1' }),
  advertiseAddress: stringFlag({
    description: `Address of this server in the Endpoints of the service ${apiService}; default: that of --bind-address, or the first one of a network interface if that is unspecified; none for a loopback address.`,
  }),
  endpointReconcilerType: choiceFlag(['lease', 'none'], {
    description: `Way in which the Endpoints of ${apiService} are kept: lease (the servers that renew their lease) or none (not at all).`,
    default: 'lease',
  }),
  tlsReloadInterval: tlsReloadIntervalFlag,
  anonymousAuth: optionalBooleanFlag({
    description:
      'Acceptance of requests without credentials, as system:anonymous; the default is true unless AlwaysAllow is among the modes.',
  }),
  ...proxyFlags,
  ...authorizationFlags,
  accessLog: choiceFlag(['none', 'annotated', 'all'], {
    description:
      'Requests written to the log: none, those with annotations, such as of deprecated resources, or all.',
    default: 'none',
  }),
  enablePriorityAndFairness: booleanFlag({
    description:
      'Limits on requests by FlowSchemas and PriorityLevelConfigurations; false limits only the number under way.',
    default: true,
  }),
  maxBodyBytesInflight: integerFlag({
    description:
      'Bytes of request bodies held in memory before they are served; an eighth of them for one user.',
    default: 256 * 1024 * 1024,
    min: 32 * 1024 * 1024,
  }),
  maxAnswerBytesWaiting: integerFlag({
    description: 'Bytes of answers that wait for slow clients; an eighth of them for one user.',
    default: 256 * 1024 * 1024,
    min: 32 * 1024 * 1024,
  }),
  maxRequestsInflight: integerFlag({
    description:
      'Reads under way at a time, 0 without limit; with priority and fairness, seats that are added to those of writes.',
    default: 400,
    min: 0,
  }),
  maxMutatingRequestsInflight: integerFlag({
    description:
      'Writes under way at a time, 0 without limit; with priority and fairness, seats that are added to those of reads.',
    default: 200,
    min: 0,
  }),
  requestTimeout: durationFlag({
    description: 'Longest duration of a request other than a watch.',
    default: 60_000,
    min: 1,
  }),
  minRequestTimeout: integerFlag({
    description:
      'Shortest duration, in seconds, of a watch without a timeout of its own; the longest is twice that.',
    default: 1800,
    min: 1,
  }),
  maxWatchTimeout: durationFlag({
    description: 'Longest duration of a watch, whatever timeoutSeconds it asks for.',
    default: 24 * 3600_000,
    min: 1000,
  }),
  watchCredentialCheckInterval: durationFlag({
    description: 'Interval at which the credentials of watches are checked; 0 is never.',
    default: 60_000,
  }),
  ...connectionFlags,
  shutdownDelayDuration: durationFlag({
    description: 'Time for which the server continues to serve after it reports that it is not ready.',
    default: 0,
  }),
  shutdownDrainDuration: durationFlag({
    description: 'Time that requests under way have to finish once no more are accepted.',
    default: 10_000,
  }),
  livezGracePeriod: durationFlag({
    description: 'Time that the start may take before /livez fails; 0 is without limit.',
    default: 0,
  }),
  runtimeConfig: runtimeConfigFlag(
    'API versions to switch on or off: a version or one resource of it (apps/v1=false,batch/v1/jobs), or all of a level (api/all, api/ga, api/beta, api/alpha).',
  ),
  ...aliasFlags,
  watchBufferBytes: integerFlag({
    description: 'Bytes that may wait for the client of a watch before the watch is ended.',
    default: 1024 * 1024,
    min: 128 * 1024,
  }),
  allowLoopbackProxy: booleanFlag({
    description:
      'Permission for the proxy of a service, pod or node to pass requests on to this machine itself.',
    default: false,
  }),
  proxyDeniedNetworks: listFlag({
    description:
      'Networks that requests to the proxy of a service, pod or node are never passed on to, besides loopback, link-local and multicast addresses and the services behind this one.',
    default: defaultDeniedNetworks,
  }),
  serviceClusterIpRange: listFlag({
    description:
      'Range of the cluster IPs of services, as in 10.96.0.0/12, or two of different families, the default one first.',
    default: ['10.96.0.0/12'],
  }),
  serviceNodePortRange: stringFlag({
    description: 'Range of the node ports of services.',
    default: '30000-32767',
  }),
  ...watchCacheFlags,
});

/** The flags of the API; the standalone form has them too. */
export const apiFlags = flagGroup('API', {
  ...servingFlags,
  ...authorityFlags,
  ...auditFlags,
  ...authorizationFileFlags,
  serviceAccountSigningKeyFile: stringFlag({
    description: 'PEM file of the RSA or ECDSA key that service-account tokens are signed with.',
  }),
  serviceAccountExtendTokenExpiration: booleanFlag({
    description:
      'Tokens that admission projects into pods stay valid for a year; use after the requested hour is counted and audited.',
    default: true,
  }),
  serviceAccountJwksUri: stringFlag({
    description:
      'Address (https) of the keys of the issuer in its discovery document; by default /openid/v1/jwks at this server.',
  }),
});

/** The flags of a gateway's settings, without those of the services that it is connected to. */
export const settingFlags = {
  ...servingFlags,
  featureGates: serviceFlags.featureGates,
  securePort: portFlag({ description: 'Port that the API is served on.', default: 6443 }),
};

/** Every flag of the gateway as a service of its own. */
export const gatewayFlags = flagGroup('API', {
  ...serviceFlags,
  ...tracingFlags,
  ...apiFlags,
  securePort: settingFlags.securePort,
  tls: booleanFlag({
    description:
      'HTTPS; false only behind a load balancer that terminates TLS, where client certificates are not seen.',
    default: true,
  }),
  tlsCertFile: stringFlag({ description: 'PEM file with the certificate of the API and its chain.' }),
  tlsPrivateKeyFile: stringFlag({ description: 'PEM file of the private key of the API.' }),
  serviceAccountIssuer: serviceAccountIssuerFlag('Issuer that service-account tokens name.'),
  serviceAccountKeyFile: listFlag({
    description:
      'PEM files of further keys of the issuer that are published to verify tokens, besides the signing key.',
  }),
  apiAudiences: apiAudiencesFlag,
  ...addressFlags,
  changeFeed: changeFeedFlag(),
  ...kafkaFlags,
});
