import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BackendOptions,
  type ClusterMember,
  type EtcdOptions,
  type EtcdServer,
  type KafkaOptions,
  type KafkaServer,
  type ManagedProcess,
  type ManagedProcessOptions,
  type PeerLinks,
  type RedisOptions,
  type RedisServer,
  startEtcd,
  startKafka,
  startRedis,
} from '@binnacle/backends';
import { backendFiles, feedTopic, secretIn } from './backend-users.ts';
import type { Credentials } from './credentials.ts';
import type { BackendPlan, MemberPorts, PortPlan } from './ports.ts';

/** The running backends of a distributed form. */
export interface Backends {
  readonly etcdMembers: readonly EtcdServer[];
  readonly kafkaBrokers: readonly KafkaServer[];
  readonly redis: RedisServer;
}

/** Settings of the backends. */
interface StartBackendsOptions {
  readonly dataDirectory: string;
  readonly ports: PortPlan;
  readonly credentials: Credentials;
  /** The links that members of etcd reach each other over; undefined: directly. */
  readonly links: PeerLinks | undefined;
  /** The size at which etcd stops accepting writes; 512 MiB by default. */
  readonly etcdQuotaBytes?: number;
  /** Writes a process down as soon as it runs. */
  keep<P extends ManagedProcess>(started: Promise<P>): Promise<P>;
  processOptions(
    name: string,
  ): Pick<ManagedProcessOptions, 'logFile' | 'pidFile' | 'signal' | 'stopTimeoutMs' | 'onUnexpectedExit'> &
    Pick<BackendOptions, 'environment'>;
}

/**
 * The number of members of the backends of a data folder. A folder holds the state of one etcd or of three: another
 * number would begin with an empty store, and is refused.
 */
export function planBackends(
  dataDirectory: string,
  { ha = false, links = false }: { readonly ha?: boolean; readonly links?: boolean },
): BackendPlan {
  if (links && !ha) throw new Error('one member of etcd has no links to others');
  const peersFile = etcdPeersFile(dataDirectory);
  if (ha && existsSync(join(dataDirectory, 'etcd')))
    throw new Error(`${dataDirectory} has the state of one etcd: with --ha use another BINNACLE_DATA_DIR`);
  if (!ha && existsSync(peersFile))
    throw new Error(`${dataDirectory} has the state of an etcd of three members: start with --ha`);
  if (!ha) return { members: 1 };
  const etcdPeers = existsSync(peersFile) ? (JSON.parse(readFileSync(peersFile, 'utf8')) as number[]) : []; // Written below.
  return { members: 3, etcdPeers, hasLinks: links };
}

/** Starts every member of every backend at once: each is ready when most of its cluster is. */
export async function startBackends(options: StartBackendsOptions): Promise<Backends> {
  const { credentials, dataDirectory, ports, links, keep } = options;
  const isCluster = ports.etcd.length > 1;
  const passwordFile = join(credentials.pki.backendServerDirectory('kafka'), 'broker-password');
  const security = backendSecurity(credentials, isCluster ? await secretIn(passwordFile, 'hex') : undefined);
  if (isCluster) rememberPeers(dataDirectory, ports.etcd);
  if (links !== undefined)
    for (const [index, { advertised, peer }] of ports.etcd.entries())
      await links.add(`etcd-${index + 1}`, advertised, peer);
  const quota = options.etcdQuotaBytes === undefined ? {} : { quotaBytes: options.etcdQuotaBytes };
  const etcd = ports.etcd.map((_, index) =>
    keep(startEtcd({ ...memberOptions('etcd', index, options), ...quota, security: security.etcd })),
  );
  const kafka = ports.kafka.map((_, index) =>
    keep(startKafka({ ...memberOptions('kafka', index, options), security: security.kafka })),
  );
  const redis = keep(
    startRedis({
      name: 'redis-1',
      port: ports.redis,
      dataDirectory: join(dataDirectory, 'redis'),
      ...options.processOptions('redis-1'),
      security: security.redis,
    }),
  );
  await allStarted([...etcd, ...kafka, redis]);
  return {
    etcdMembers: await Promise.all(etcd),
    kafkaBrokers: await Promise.all(kafka),
    redis: await redis,
  };
}

/** Waits until all have started or failed; throws what failed. */
export async function allStarted(starts: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(starts);
  const failures = outcomes.filter(outcome => outcome.status === 'rejected').map(outcome => outcome.reason);
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('\n'));
}

function memberOptions(backend: 'etcd' | 'kafka', index: number, options: StartBackendsOptions) {
  const members = options.ports[backend];
  const name = `${backend}-${index + 1}`;
  return {
    name,
    port: portsAt(members, index).client,
    // The folder of the only member has the name of its backend.
    dataDirectory: join(options.dataDirectory, members.length === 1 ? backend : name),
    ...options.processOptions(name),
    ...(members.length === 1 ? {} : { member: membership(members, index) }),
  };
}

function membership(members: readonly MemberPorts[], index: number): ClusterMember {
  return {
    number: index + 1,
    peerPort: portsAt(members, index).peer,
    peers: members.map(({ advertised }) => advertised),
  };
}

function portsAt(members: readonly MemberPorts[], index: number): MemberPorts {
  const ports = members[index];
  if (ports === undefined) throw new RangeError(`there is no member ${index + 1}`);
  return ports;
}

function etcdPeersFile(dataDirectory: string): string {
  return join(dataDirectory, 'etcd-peers.json');
}

/** Members of etcd keep the addresses of each other in their data. */
function rememberPeers(dataDirectory: string, members: readonly MemberPorts[]): void {
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(etcdPeersFile(dataDirectory), JSON.stringify(members.map(({ advertised }) => advertised)));
}

/** The security of each local backend: its own authority, TLS, and its users with what they need. */
interface BackendSecurity {
  readonly etcd: NonNullable<EtcdOptions['security']>;
  readonly kafka: NonNullable<KafkaOptions['security']>;
  readonly redis: NonNullable<RedisOptions['security']>;
}

/**
 * Locks the local backends with the certificates and passwords of one distributed form; several brokers of Kafka need a
 * password of their own.
 */
function backendSecurity({ pki, backendUsers }: Credentials, brokerPassword?: string): BackendSecurity {
  const server = (backend: string) => backendFiles(pki.backendServerDirectory(backend));
  return {
    etcd: {
      tls: server('etcd'),
      administrator: backendFiles(pki.backendClientDirectory('etcd', 'administrator')),
      users: backendUsers.etcd,
    },
    kafka: {
      tls: server('kafka'),
      users: backendUsers.kafka,
      topic: feedTopic,
      ...(brokerPassword === undefined ? {} : { brokerPassword }),
    },
    redis: { tls: server('redis'), users: backendUsers.redis },
  };
}
