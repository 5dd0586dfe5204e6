import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BackendOptions, type BackendServer, startBackend } from './backend-server.ts';
import { hasLiveBroker } from './kafka-metadata.ts';
import { executableOnPath, kafkaLibraryDirectory } from './locations.ts';
import { pollUntil } from './poll-until.ts';

const runFile = promisify(execFile);

/** Any 16 bytes will do: one folder never holds the data of two clusters. */
const clusterId = 'YmlubmFjbGUtbG9jYWwtMQ';

/** How a Kafka server is started. */
export interface KafkaOptions extends BackendOptions {
  /** Added to the server's properties, or replacing them. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** A running Kafka server that is broker and controller in one process. */
export interface KafkaServer extends BackendServer {
  /** `host:port` of the brokers. */
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
      extraPorts: 1,
      async prepare([broker, controller], dataDirectory) {
        const propertiesFile = join(dataDirectory, 'server.properties');
        const properties = {
          ...serverProperties(broker!, controller!, dataDirectory),
          ...options.properties,
        };
        writeFileSync(propertiesFile, propertiesText(properties));
        await formatStorage(java, propertiesFile, dataDirectory);
        return {
          command: java,
          arguments: [...javaArguments(), 'kafka.Kafka', propertiesFile],
          environment: {},
          ready: signal =>
            pollUntil('a live broker', question => hasLiveBroker(broker!, question), { signal }),
        };
      },
    },
    options,
  );
  return Object.defineProperties(server, {
    brokers: { value: [server.address], enumerable: true },
  }) as KafkaServer; // defineProperties keeps the getters, which a spread would read once.
}

function javaArguments(): string[] {
  const logging = join(import.meta.dirname, 'kafka/log4j.properties');
  return [
    ...['-Xms96m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
    `-Dlog4j.configuration=file:${logging}`,
    ...['-cp', join(kafkaLibraryDirectory(), '*')],
  ];
}

function serverProperties(broker: number, controller: number, dataDirectory: string): Record<string, string> {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(dataDirectory, 'kafka'),
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'message.max.bytes': '8388608',
    'replica.fetch.max.bytes': '8388608',
    'group.initial.rebalance.delay.ms': '0',
    // A killed broker comes back under its own number only when its former session is over.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
  };
}

function propertiesText(properties: Record<string, string>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function formatStorage(java: string, propertiesFile: string, dataDirectory: string): Promise<void> {
  if (existsSync(join(dataDirectory, 'kafka/meta.properties'))) return;
  const storageTool = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', propertiesFile];
  await runFile(java, [...javaArguments(), ...storageTool], { timeout: 60_000 });
}
