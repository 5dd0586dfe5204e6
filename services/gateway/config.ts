import { readFile } from 'node:fs/promises';
import {
  addressFlags,
  type BinnacleGates,
  booleanFlag,
  choiceFlag,
  durationFlag,
  type FlagValues,
  integerFlag,
  kafkaFlags,
  listFlag,
  optionalBooleanFlag,
  portFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/service-kit';
import { accessLogs } from './pipeline/log-requests.ts';
import { connectionFlags, connectionSettingsFromFlags } from './server/connection-flags.ts';
import type { ServingTls } from './server/create-server.ts';
import { defaultSettings, type GatewaySettings } from './settings.ts';
import type { TokenIssuerOptions } from './subresources/token-issuer.ts';

/** The flags that say how the API is served; the standalone form has them too. */
export const apiFlags = {
  bindAddress: stringFlag({ description: 'Address that the API is served on.', default: '127.0.0.1' }),
  tlsReloadInterval: durationFlag({
    description: 'Interval at which certificate files are checked for changes; 0 is never.',
    default: 60_000,
  }),
  anonymousAuth: optionalBooleanFlag({
    description:
      'Requests without credentials as system:anonymous; allowed by default unless the mode is AlwaysAllow.',
  }),
  authorizationMode: choiceFlag(['RBAC', 'AlwaysAllow'], {
    description: 'Authorization mode: RBAC allows what roles grant, AlwaysAllow allows every request.',
    default: 'RBAC',
  }),
  accessLog: choiceFlag(accessLogs, {
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
    default: defaultSettings.maxBodyBytesInFlight,
    min: 32 * 1024 * 1024,
  }),
  maxAnswerBytesWaiting: integerFlag({
    description: 'Bytes of answers that wait for slow clients; an eighth of them for one user.',
    default: defaultSettings.maxAnswerBytesWaiting,
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
    description: 'Time for which the server goes on serving after it reports that it is not ready.',
    default: 0,
  }),
  shutdownDrainDuration: durationFlag({
    description: 'Time that requests under way have to finish once no more are accepted.',
    default: 10_000,
  }),
  livezGracePeriod: durationFlag({
    description: 'Time that the start may take before the server counts as dead; 0 is without limit.',
    default: 0,
  }),
  runtimeConfig: stringFlag({
    description:
      'API versions to switch on or off: a version or one resource of it (apps/v1=false,batch/v1/jobs), or all of a level (api/all, api/ga, api/beta, api/alpha).',
    default: '',
  }),
  kubernetesClientCompatibility: booleanFlag({
    description: 'Group aliases: the .k8s.io form of a group name is accepted for .cluster.io.',
    default: true,
  }),
  listAliasGroups: booleanFlag({
    description:
      'Group aliases in discovery: the .k8s.io alias of each group is listed too, after all others, if it is accepted.',
    default: true,
  }),
  watchBufferBytes: integerFlag({
    description: 'Bytes that may wait for the client of a watch before the watch is ended.',
    default: 1024 * 1024,
    min: 128 * 1024,
  }),
  serviceAccountSigningKeyFile: stringFlag({
    description: 'PEM file of the RSA or ECDSA key that service-account tokens are signed with.',
  }),
  allowLoopbackProxy: booleanFlag({
    description:
      'Permission for the proxy of a service, pod or node to pass requests on to this machine itself.',
    default: false,
  }),
  proxyDeniedNetworks: listFlag({
    description:
      'Networks that requests to the proxy of a service, pod or node are never passed on to, besides loopback, link-local and multicast addresses and the services behind this one.',
    default: defaultSettings.proxyDeniedNetworks,
  }),
  serviceClusterIpRange: listFlag({
    description:
      'Range of the cluster IPs of services, as in 10.96.0.0/12, or two of different families, the default one first.',
    default: defaultSettings.serviceClusterIpRanges,
  }),
  serviceNodePortRange: stringFlag({
    description: 'Range of the node ports of services.',
    default: defaultSettings.serviceNodePortRange,
  }),
  historyWindow: durationFlag({
    description: 'Time for which past events are kept for watches that resume.',
    default: 300_000,
    min: 1_000,
  }),
};

/** Every flag of the gateway as a service of its own. */
export const gatewayFlags = {
  ...serviceFlags,
  ...apiFlags,
  securePort: portFlag({ description: 'Port that the API is served on.', default: 6443 }),
  tls: booleanFlag({
    description:
      'HTTPS; false only behind a load balancer that terminates TLS, where client certificates are not seen.',
    default: true,
  }),
  tlsCertFile: stringFlag({ description: 'PEM file of the certificate of the API, with its chain.' }),
  tlsPrivateKeyFile: stringFlag({ description: 'PEM file of the key of the API.' }),
  clientCaFile: stringFlag({ description: 'PEM file of the authority of client certificates.' }),
  serviceAccountIssuer: stringFlag({
    description: 'Issuer that service-account tokens name.',
    default: 'https://binnacle.local',
  }),
  apiAudiences: listFlag({ description: 'Audiences of the API; the issuer when none is given.' }),
  ...addressFlags,
  changeFeed: choiceFlag(['kafka', 'direct'], {
    description: 'Source of changes: the Kafka topic, or storage itself.',
    default: 'direct',
  }),
  ...kafkaFlags,
};

/** The settings that flags stand for. */
export function settingsFromFlags(
  flags: FlagValues<typeof apiFlags> & { readonly featureGates: BinnacleGates },
): Omit<GatewaySettings, 'securePort'> {
  return {
    ...defaultSettings,
    bindAddress: flags.bindAddress,
    tlsReloadIntervalMs: flags.tlsReloadInterval,
    anonymousAuth: flags.anonymousAuth,
    authorizationMode: flags.authorizationMode,
    accessLog: flags.accessLog,
    maxRequestsInFlight: flags.maxRequestsInflight,
    maxMutatingRequestsInFlight: flags.maxMutatingRequestsInflight,
    enablePriorityAndFairness:
      flags.enablePriorityAndFairness && flags.featureGates.isEnabled('APIPriorityAndFairness'),
    maxBodyBytesInFlight: flags.maxBodyBytesInflight,
    maxAnswerBytesWaiting: flags.maxAnswerBytesWaiting,
    requestTimeoutMs: flags.requestTimeout,
    minRequestTimeoutSeconds: flags.minRequestTimeout,
    maxWatchTimeoutSeconds: Math.floor(flags.maxWatchTimeout / 1000),
    watchCredentialCheckMs: flags.watchCredentialCheckInterval,
    connections: connectionSettingsFromFlags(flags),
    shutdownDelayMs: flags.shutdownDelayDuration,
    drainTimeoutMs: flags.shutdownDrainDuration,
    livezGracePeriodMs: flags.livezGracePeriod,
    runtimeConfig: flags.runtimeConfig,
    kubernetesClientCompatibility: flags.kubernetesClientCompatibility,
    listAliasGroups: flags.listAliasGroups,
    ...featureSettings(flags.featureGates),
    watchBufferBytes: flags.watchBufferBytes,
    allowLoopbackProxy: flags.allowLoopbackProxy,
    proxyDeniedNetworks: flags.proxyDeniedNetworks,
    serviceClusterIpRanges: flags.serviceClusterIpRange,
    serviceNodePortRange: flags.serviceNodePortRange,
    historyWindowMs: flags.historyWindow,
  };
}

function featureSettings({ isEnabled }: BinnacleGates) {
  return {
    apiListChunking: isEnabled('APIListChunking'),
    remainingItemCount: isEnabled('RemainingItemCount'),
    responseCompression: isEnabled('APIResponseCompression'),
    serverSideFieldValidation: isEnabled('ServerSideFieldValidation'),
    aggregatedDiscovery: isEnabled('AggregatedDiscoveryEndpoint'),
    openApiV3: isEnabled('OpenAPIV3'),
  };
}

/** Reads what service-account tokens are signed with; undefined: none are issued. */
export async function serviceAccountTokensFromFlags(flags: {
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountIssuer: string;
  readonly apiAudiences: readonly string[];
}): Promise<TokenIssuerOptions | undefined> {
  const { serviceAccountSigningKeyFile: file, serviceAccountIssuer: issuer, apiAudiences } = flags;
  if (!file) return undefined;
  const audiences = apiAudiences.length > 0 ? apiAudiences : [issuer];
  return { signingKey: await readFile(file, 'utf8'), issuer, audiences };
}

/** Reads the certificate files that flags name; false for plain HTTP. Throws when they contradict each other. */
export async function servingTlsFromFlags(
  flags: Pick<FlagValues<typeof gatewayFlags>, 'tls' | 'tlsCertFile' | 'tlsPrivateKeyFile' | 'clientCaFile'>,
): Promise<ServingTls | false> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = flags;
  if (!flags.tls) {
    if (clientCaFile)
      throw new Error('--client-ca-file means nothing with --tls=false: there are no client certificates');
    return false;
  }
  if (!tlsCertFile || !tlsPrivateKeyFile) {
    throw new Error(
      '--tls-cert-file and --tls-private-key-file must be given, or --tls=false behind a load balancer that ends TLS',
    );
  }
  const [cert, key, clientCa] = await Promise.all([
    readFile(tlsCertFile),
    readFile(tlsPrivateKeyFile),
    clientCaFile ? readFile(clientCaFile) : undefined,
  ]);
  return { cert, key, clientCa };
}
