import { execFile } from 'node:child_process';
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type BackendOptions,
  type BackendServer,
  type ClusterMember,
  startBackend,
} from './backend-server.ts';
import { hasLiveBroker } from './kafka-metadata.ts';
import {
  type FormattedFor,
  type KafkaServerSecurity,
  openToUsers,
  prepareSecuredData,
  scramArguments,
  securityProperties,
} from './kafka-security.ts';
import { executableOnPath, kafkaClassArchive, kafkaLibraryDirectory } from './locations.ts';
import { pollUntil } from './poll-until.ts';

const runFile = promisify(execFile);

/** Any 16 bytes will do: one folder never holds the data of two clusters. */
const clusterId = 'YmlubmFjbGUtbG9jYWwtMQ';

/** Options of a Kafka server. */
export interface KafkaOptions extends BackendOptions {
  /** Added to the server's properties, or replacing them. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Locks the server with TLS, users and access rules; default: open to everyone on this machine. */
  readonly security?: KafkaServerSecurity;
  /** The file into which the server writes an archive of its classes when it is stopped: it then starts without one. */
  readonly archivesClassesIn?: string;
  /**
   * Makes the server one of several, which are started at the same time; it is ready when most of them are there. Those of
   * a locked cluster need `security.brokerPassword`.
   */
  readonly member?: ClusterMember;
}

/** A running Kafka server that is broker and controller in one process: the whole of a cluster, or one of its members. */
export interface KafkaServer extends BackendServer {
  /** `host:port` of this broker. */
  readonly brokers: readonly string[];
}

/**
 * Starts Kafka without ZooKeeper and waits until its broker is live. Topics are never made by asking for
 * them; a message may have 8 MiB. `restart` brings it back with the data that it had.
 */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaServer> {
  const java = executableOnPath('java');
  if (java === undefined) throw new Error('java is missing: Kafka needs Java 17 (openjdk-17-jre-headless)');
  if (!existsSync(kafkaLibraryDirectory())) {
    throw new Error('Kafka is not installed: run "make backends" first');
  }
  const server = await startBackend(
    {
      name: 'kafka',
      extraPorts: options.member === undefined ? 1 : 0,
      async prepare([broker, ownPort], dataDirectory) {
        const controller = options.member?.peerPort ?? ownPort;
        const member = options.member ?? { number: 1, peerPort: controller!, peers: [controller!] };
        const propertiesFile = join(dataDirectory, 'server.properties');
        const { security } = options;
        const formattedFor = security && prepareSecuredData(dataDirectory, security);
        const locked = security && formattedFor ? { security, formattedFor } : undefined;
        const properties = {
          ...serverProperties({ broker: broker!, member, dataDirectory }, locked),
          ...options.properties,
        };
        writeFileSync(propertiesFile, propertiesText(properties), { mode: 0o600 });
        await formatStorage(java, { propertiesFile, dataDirectory, locked });
        return {
          command: java,
          arguments: [...javaArguments(options.archivesClassesIn), 'kafka.Kafka', propertiesFile],
          environment: {},
          ready: signal =>
            pollUntil('a live broker', question => isLive(broker!, locked, question), { signal }),
        };
      },
    },
    options,
  );
  return Object.defineProperties(server, {
    brokers: { value: [server.address], enumerable: true },
  }) as KafkaServer; // defineProperties keeps the getters, which a spread would read once.
}

// Java has instructions of the processor for AES only in code of its second compiler, which is switched off here: it takes more
// time than a short-lived server gives back. Compiled by the first, ChaCha20 is four times as fast as AES.
const cipherSuites = ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_256_GCM_SHA384'];

function javaArguments(archivesClassesIn?: string): string[] {
  const logging = join(import.meta.dirname, 'kafka/log4j.properties');
  const archive = archivesClassesIn ?? kafkaClassArchive();
  return [
    ...['-Xms96m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
    // Java ignores an archive of another version, or of classes at other paths.
    ...(archivesClassesIn === undefined ? [] : [`-XX:ArchiveClassesAtExit=${archive}`]),
    ...(archivesClassesIn === undefined && existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : []),
    `-Dlog4j.configuration=file:${logging}`,
    ...['-cp', join(realpathSync(kafkaLibraryDirectory()), '*')],
  ];
}

/** A server that is locked, and what its data was formatted for. */
interface Locked {
  readonly security: KafkaServerSecurity;
  readonly formattedFor: FormattedFor;
}

function isLive(broker: number, locked: Locked | undefined, question: AbortSignal): Promise<boolean> {
  if (locked === undefined) return hasLiveBroker(broker, question);
  return openToUsers(`127.0.0.1:${broker}`, locked.security, locked.formattedFor);
}

interface ServerPlaces {
  readonly broker: number;
  readonly member: ClusterMember;
  readonly dataDirectory: string;
}

function serverProperties(
  { broker, member: { number, peerPort, peers }, dataDirectory }: ServerPlaces,
  locked: Locked | undefined,
): Record<string, string> {
  return {
    'process.roles': 'broker,controller',
    'node.id': String(number),
    'controller.quorum.voters': peers.map((port, index) => `${index + 1}@127.0.0.1:${port}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    listeners: `CLIENTS://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${peerPort}`,
    'advertised.listeners': `CLIENTS://127.0.0.1:${broker}`,
    'inter.broker.listener.name': 'CLIENTS',
    'listener.security.protocol.map': 'CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(dataDirectory, 'kafka'),
    'auto.create.topics.enable': 'false',
    ...replicationProperties(peers.length),
    'offsets.topic.num.partitions': '4',
    // For a machine of few processors: more threads only wake each other up.
    'num.network.threads': '1',
    'num.io.threads': '2',
    'message.max.bytes': '8388608',
    'replica.fetch.max.bytes': '8388608',
    'group.initial.rebalance.delay.ms': '0',
    ...(locked && securityProperties(locked.security, locked.formattedFor, dataDirectory)),
    ...(locked && { 'ssl.cipher.suites': cipherSuites.join(',') }),
  };
}

/** Settings that depend on the number of brokers. */
function replicationProperties(brokers: number): Record<string, string> {
  const [replicas, inSync] = brokers === 1 ? ['1', '1'] : ['3', '2'];
  return {
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    // A killed broker comes back under its own number only when its former session is over. Where others take its partitions
    // meanwhile, one that gets no processor for a moment keeps them.
    'broker.session.timeout.ms': brokers === 1 ? '2000' : '5000',
    'broker.heartbeat.interval.ms': '500',
  };
}

function propertiesText(properties: Record<string, string>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

interface StorageToFormat {
  readonly propertiesFile: string;
  readonly dataDirectory: string;
  readonly locked: Locked | undefined;
}

async function formatStorage(java: string, storage: StorageToFormat): Promise<void> {
  const { propertiesFile, dataDirectory, locked } = storage;
  if (existsSync(join(dataDirectory, 'kafka/meta.properties'))) return;
  const storageTool = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', propertiesFile];
  const scram = locked && scramArguments(locked.security, locked.formattedFor, dataDirectory);
  try {
    const all = [...javaArguments(), ...storageTool, ...(scram?.arguments ?? [])];
    await runFile(java, all, { timeout: 60_000 });
  } finally {
    scram?.remove();
  }
}
