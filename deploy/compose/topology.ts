import { join } from 'node:path';
import { tokens } from '@binnacle/api-names';
import { etcdQuotaBytes } from '@binnacle/backends';
import type { Pki } from '@binnacle/tls';
import { backendFiles, feedKeyFile } from './backend-users.ts';
import { localBalancerAddress } from './local-balancer.ts';
import type { PortPlan } from './ports.ts';
import type { ServiceInstance, ServiceName } from './service-instances.ts';

/** The parts that the flags of the services are made of. */
interface TopologyContext {
  readonly ports: PortPlan;
  readonly pki: Pki;
  /** The client configuration of the controllers. */
  readonly controllerConfiguration: string;
  /** Users by bearer token, in the format of kube-apiserver's token file. */
  readonly tokenAuthFile?: string;
  /** Whether a load balancer must notice that a gateway stops before the gateway accepts no more connections. */
  readonly hasBalancer?: boolean;
  /** The size at which etcd stops accepting writes; that of etcd's own start by default. */
  readonly etcdQuotaBytes?: number;
}

type Flags = Readonly<Record<string, string>>;

/** The command line of one process, after the path of the service's main file. */
export function createArguments(instance: ServiceInstance, context: TopologyContext): string[] {
  const flags: Flags = {
    'operations-port': String(context.ports.operations.get(instance.name)),
    // The controllers call the public API alone.
    ...(instance.service === 'controller-manager'
      ? {}
      : { 'tls-dir': context.pki.serviceDirectory(instance.service) }),
    ...flagBuilders[instance.service](instance, context),
  };
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
}

const flagBuilders: Record<ServiceName, (instance: ServiceInstance, context: TopologyContext) => Flags> = {
  'token-review': tokenReviewFlags,
  'webhook-dispatch': (instance, context) => ({ port: findPort(instance, context) }),
  admission: admissionFlags,
  storage: storageFlags,
  gateway: gatewayFlags,
  'controller-manager': (_, context) => ({
    kubeconfig: context.controllerConfiguration,
    servers: gatewayAddresses(context.ports).join(','),
    'service-account-private-key-file': context.pki.serviceAccountKeyFile,
    'root-ca-file': context.pki.caFile,
  }),
};

function tokenReviewFlags(instance: ServiceInstance, context: TopologyContext): Flags {
  return {
    port: findPort(instance, context),
    ...(context.tokenAuthFile === undefined ? {} : { 'token-auth-file': context.tokenAuthFile }),
    'service-account-key-file': context.pki.serviceAccountPublicKeyFile,
    'service-account-issuer': tokens.issuer,
    ...redisFlags(context),
    'storage-addresses': findAddresses('storage', context),
  };
}

function redisFlags({ ports, pki }: TopologyContext): Flags {
  const files = backendFiles(pki.backendClientDirectory('redis', 'token-review'));
  return {
    'redis-url': `rediss://127.0.0.1:${ports.redis}`,
    'redis-ca-file': files.caFile,
    'redis-cert-file': files.certFile,
    'redis-key-file': files.keyFile,
    'redis-username': 'token-review',
    'redis-password-file': files.passwordFile,
  };
}

function admissionFlags(instance: ServiceInstance, context: TopologyContext): Flags {
  return {
    port: findPort(instance, context),
    'storage-addresses': findAddresses('storage', context),
    'webhook-dispatch-addresses': findAddresses('webhook-dispatch', context),
    ...changeFeedFlags(instance, context),
  };
}

function storageFlags(instance: ServiceInstance, context: TopologyContext): Flags {
  return {
    port: findPort(instance, context),
    backend: 'etcd',
    ...etcdFlags(context),
    ...changeFeedFlags(instance, context),
    // On one machine: each fetch costs a broker something for each partition.
    'kafka-partitions': '3',
    // A record that was acknowledged outlives any one broker, and one that is away stops nothing.
    ...(context.ports.kafka.length < 3
      ? {}
      : { 'kafka-replication-factor': '3', 'kafka-min-insync-replicas': '2' }),
  };
}

function etcdFlags({ ports, pki, etcdQuotaBytes: quotaBytes = etcdQuotaBytes }: TopologyContext): Flags {
  const files = backendFiles(pki.backendClientDirectory('etcd', 'storage'));
  return {
    'etcd-endpoints': ports.etcd.map(({ client }) => `https://localhost:${client}`).join(','),
    'etcd-cafile': files.caFile,
    'etcd-certfile': files.certFile,
    'etcd-keyfile': files.keyFile,
    'etcd-username': 'storage',
    'etcd-quota-backend-bytes': String(quotaBytes),
    'etcd-password-file': files.passwordFile,
  };
}

function gatewayFlags(instance: ServiceInstance, context: TopologyContext): Flags {
  return {
    'secure-port': findPort(instance, context),
    ...(instance.isPlain ? { tls: 'false' } : servingFlags(context)),
    'storage-addresses': findAddresses('storage', context),
    'admission-addresses': findAddresses('admission', context),
    'webhook-dispatch-addresses': findAddresses('webhook-dispatch', context),
    'token-review-addresses': findAddresses('token-review', context),
    'service-account-signing-key-file': context.pki.serviceAccountKeyFile,
    'service-account-issuer': tokens.issuer,
    // Shorter than the time after which the process is killed.
    'shutdown-drain-duration': '4s',
    // Longer than the checks of the load balancer that must fail.
    ...(context.hasBalancer
      ? { 'shutdown-delay-duration': '3s', 'proxy-protocol-networks': `${localBalancerAddress}/32` }
      : {}),
    ...changeFeedFlags(instance, context),
  };
}

function servingFlags({ pki }: TopologyContext): Flags {
  return {
    'tls-cert-file': join(pki.serverDirectory, 'tls.crt'),
    'tls-private-key-file': join(pki.serverDirectory, 'tls.key'),
    'client-ca-file': pki.caFile,
  };
}

function changeFeedFlags({ service }: ServiceInstance, { ports, pki }: TopologyContext): Flags {
  const files = backendFiles(pki.backendClientDirectory('kafka', service));
  return {
    'change-feed': 'kafka',
    'kafka-brokers': ports.kafka.map(({ client }) => `127.0.0.1:${client}`).join(','),
    'kafka-ca-file': files.caFile,
    'kafka-sasl-mechanism': 'scram-sha-512',
    'kafka-sasl-username': service,
    'kafka-sasl-password-file': files.passwordFile,
    'feed-key-file': feedKeyFile(pki),
  };
}

/** `https://host:port` of each gateway. */
export function gatewayAddresses(ports: PortPlan): string[] {
  return ports.instances.all
    .filter(instance => instance.service === 'gateway')
    .map(instance => `https://127.0.0.1:${ports.services.get(instance.name)}`);
}

function findPort(instance: ServiceInstance, { ports }: TopologyContext): string {
  return String(ports.services.get(instance.name));
}

function findAddresses(service: ServiceName, { ports }: TopologyContext): string {
  return ports.instances.all
    .filter(instance => instance.service === service)
    .map(instance => `127.0.0.1:${ports.services.get(instance.name)}`)
    .join(',');
}
