import { defaultDeniedNetworks } from '@binnacle/network-filter';
import type { AccessLog } from './pipeline/log-requests.ts';
import { type ConnectionSettings, defaultConnectionSettings } from './server/connection-settings.ts';

/** How a gateway behaves; every setting is a flag of the service (see `config.ts`). */
export interface GatewaySettings {
  /** Address to listen on. */
  readonly bindAddress: string;
  /** Port to listen on; 0 takes a free one. */
  readonly securePort: number;
  /** Interval at which certificate files are checked for changes; 0: never. */
  readonly tlsReloadIntervalMs: number;
  /** Whether requests without credentials go on as `system:anonymous`; undefined: unless everything is allowed (spec 2). */
  readonly anonymousAuth: boolean | undefined;
  readonly authorizationMode: 'RBAC' | 'AlwaysAllow';
  /** Which requests are written to the log. */
  readonly accessLog: AccessLog;
  /** Reads under way at a time; 0: no limit. */
  readonly maxRequestsInFlight: number;
  /** Writes under way at a time; 0: no limit. */
  readonly maxMutatingRequestsInFlight: number;
  /** Whether requests are limited by priority and fairness; false: by how many are under way. */
  readonly enablePriorityAndFairness: boolean;
  /** Bytes of request bodies that may be held in memory before they are served; one user may hold an eighth. */
  readonly maxBodyBytesInFlight: number;
  /** Bytes of answers that may wait for their clients; one user may have an eighth. */
  readonly maxAnswerBytesWaiting: number;
  /** The longest a request other than a watch may take. */
  readonly requestTimeoutMs: number;
  /** A watch without `timeoutSeconds` lasts between this and twice this. */
  readonly minRequestTimeoutSeconds: number;
  /** The longest that a watch lasts, whatever it asks for. */
  readonly maxWatchTimeoutSeconds: number;
  /** Interval at which the credentials of watches are checked; 0: never. */
  readonly watchCredentialCheckMs: number;
  readonly connections: ConnectionSettings;
  /** How long the server goes on after it says that it is not ready, so that load balancers turn away. */
  readonly shutdownDelayMs: number;
  /** How long requests under way may take once the server has stopped to accept connections. */
  readonly drainTimeoutMs: number;
  /** How long the server may take to start before it counts as dead. */
  readonly livezGracePeriodMs: number;
  /** Which group versions are served, see spec 1 "Groups". */
  readonly runtimeConfig: string;
  /** Whether the `.k8s.io` spelling of group names is taken. */
  readonly kubernetesClientCompatibility: boolean;
  /** Whether discovery lists the `.k8s.io` spelling of each group too, after all others; means nothing when it is not taken. */
  readonly listAliasGroups: boolean;
  /** Whether lists take `limit` and `continue`. */
  readonly apiListChunking: boolean;
  /** Whether a chunk says how many items follow. */
  readonly remainingItemCount: boolean;
  /** Whether large answers are compressed for clients that take gzip. */
  readonly responseCompression: boolean;
  /** Whether writes take `fieldValidation`; without it unknown fields are dropped silently. */
  readonly serverSideFieldValidation: boolean;
  /** Whether `/api` and `/apis` give all of discovery in one document to clients that ask for it. */
  readonly aggregatedDiscovery: boolean;
  /** Whether there are OpenAPI v3 documents. */
  readonly openApiV3: boolean;
  /** A client of a watch that has more bytes than these still to take when the next events come is cut off. */
  readonly watchBufferBytes: number;
  /** Whether requests to proxies may be passed on to this machine itself. */
  readonly allowLoopbackProxy: boolean;
  /** Networks that requests to proxies are not passed on to, besides those that never are (see libs/network-filter). */
  readonly proxyDeniedNetworks: readonly string[];
  /** Where the cluster IPs of services are from: a range of addresses, or two of different families, the default one first. */
  readonly serviceClusterIpRanges: readonly string[];
  /** Where the node ports of services are from. */
  readonly serviceNodePortRange: string;
  /** How long the watch cache keeps past events. */
  readonly historyWindowMs: number;
}

/** The settings of a gateway that is not told otherwise. */
export const defaultSettings: GatewaySettings = {
  bindAddress: '127.0.0.1',
  securePort: 6443,
  tlsReloadIntervalMs: 60_000,
  anonymousAuth: undefined,
  authorizationMode: 'RBAC',
  accessLog: 'none',
  maxRequestsInFlight: 400,
  maxMutatingRequestsInFlight: 200,
  enablePriorityAndFairness: true,
  maxBodyBytesInFlight: 256 * 1024 * 1024,
  maxAnswerBytesWaiting: 256 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  minRequestTimeoutSeconds: 1800,
  maxWatchTimeoutSeconds: 24 * 3600,
  watchCredentialCheckMs: 60_000,
  connections: defaultConnectionSettings,
  shutdownDelayMs: 0,
  drainTimeoutMs: 10_000,
  livezGracePeriodMs: 0,
  runtimeConfig: '',
  kubernetesClientCompatibility: true,
  listAliasGroups: true,
  apiListChunking: true,
  remainingItemCount: true,
  responseCompression: true,
  serverSideFieldValidation: true,
  aggregatedDiscovery: false,
  openApiV3: true,
  watchBufferBytes: 1024 * 1024,
  allowLoopbackProxy: false,
  proxyDeniedNetworks: defaultDeniedNetworks,
  serviceClusterIpRanges: ['10.96.0.0/12'],
  serviceNodePortRange: '30000-32767',
  historyWindowMs: 300_000,
};
