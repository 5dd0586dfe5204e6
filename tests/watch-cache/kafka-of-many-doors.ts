import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { findFreePort, type KafkaServer, type KafkaServerSecurity, startKafka } from '@binnacle/backends';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { createTlsFiles } from './locked-kafka.ts';

/**
 * The listeners of a Kafka that look like brokers that are locked in other ways. `locked` is as it should be, `stranger` shows a
 * certificate of another authority, `open` speaks plaintext, and `certified` asks for client certificates.
 */
type Door = 'locked' | 'stranger' | 'open' | 'certified';

/** Where clients find Kafka: it leads to one door at a time. */
interface Front extends AsyncDisposable {
  readonly port: number;
  /** Leads to another door from now on: connections to the one before are cut. */
  leadTo(port: number): void;
}

/** A Kafka of many doors. Records that are written through one of them are read through every other. */
export interface KafkaOfManyDoors extends AsyncDisposable {
  readonly directory: string;
  readonly tls: KafkaServerSecurity['tls'];
  /** TLS files that another authority issued. */
  readonly otherTls: KafkaServerSecurity['tls'];
  /** The broker with all users; its own port is a door for who knows it, and is closed while the broker is away. */
  readonly server: KafkaServer;
  /** `host:port` of the front. */
  readonly front: string;
  /** `host:port` of the door that asks for client certificates. */
  readonly certified: string;
  /** Has the front lead to a door, or to the door `locked` of another broker, in which users have other passwords, or are missing. */
  lead(to: Door | 'of others'): void;
}

/** The users of the broker, and those of the other one. */
interface DoorUsers {
  readonly users: KafkaServerSecurity['users'];
  readonly others: KafkaServerSecurity['users'];
  /** The topic that users are given rights to. */
  readonly topic: string;
}

/** Starts both brokers, and a front before them that leads to the door `locked`. */
export async function startKafkaOfManyDoors({ users, others, topic }: DoorUsers): Promise<KafkaOfManyDoors> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory()).path;
  const tls = await createTlsFiles(join(directory, 'pki'));
  const otherTls = await createTlsFiles(join(directory, 'other-pki'));
  const front = stack.use(await startFront());
  const strangerKeys = join(directory, 'stranger.pem');
  writeFileSync(
    strangerKeys,
    `${readFileSync(otherTls.keyFile, 'utf8')}\n${readFileSync(otherTls.certFile)}`,
  );
  const doors: readonly Door[] = ['locked', 'stranger', 'open', 'certified'];
  const [ports, otherPorts] = [await freePorts(doors), await freePorts(['locked'])];
  const start = async (name: string, security: KafkaServerSecurity, own: ReadonlyMap<Door, number>) => {
    const [port, controller] = [await findFreePort(), await findFreePort()];
    return startKafka({
      port,
      dataDirectory: join(directory, name),
      security,
      member: { number: 1, peerPort: controller, peers: [controller] },
      properties: doorProperties({ port, controller, doors: own, front: front.port, strangerKeys }),
    });
  };
  const [server, other] = await Promise.all([
    start('kafka', { tls, users, topic }, ports),
    start('other-kafka', { tls, users: others, topic }, otherPorts),
  ]);
  stack.use(server);
  stack.use(other);
  const lead = (to: Door | 'of others') =>
    front.leadTo(to === 'of others' ? findPort(otherPorts, 'locked') : findPort(ports, to));
  lead('locked');
  const started = stack.move();
  return {
    directory,
    tls,
    otherTls,
    server,
    front: `127.0.0.1:${front.port}`,
    certified: `127.0.0.1:${findPort(ports, 'certified')}`,
    lead,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

interface DoorPlan {
  readonly port: number;
  readonly controller: number;
  readonly doors: ReadonlyMap<Door, number>;
  readonly front: number;
  readonly strangerKeys: string;
}

/** The doors beside the usual listener: clients are told that all of them but `certified` are at the front. */
function doorProperties({ port, controller, doors, front, strangerKeys }: DoorPlan): Record<string, string> {
  const listed = [...doors].map(([door, own]) => ({ name: door.toUpperCase(), door, own }));
  const at = (name: string, where: number) => `${name}://127.0.0.1:${where}`;
  const usual = at('CLIENTS', port);
  const listeners = listed.map(({ name, own }) => at(name, own));
  const advertised = listed.map(({ name, door, own }) => at(name, door === 'certified' ? own : front));
  const protocols = listed.map(({ name, door }) => `${name}:${door === 'open' ? 'PLAINTEXT' : 'SASL_SSL'}`);
  const scram = listed.flatMap(({ door }) => [
    [`listener.name.${door}.sasl.enabled.mechanisms`, 'SCRAM-SHA-512'],
    [
      `listener.name.${door}.scram-sha-512.sasl.jaas.config`,
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    ],
  ]);
  return {
    ...Object.fromEntries(scram),
    listeners: [usual, ...listeners, at('CONTROLLER', controller)].join(),
    'advertised.listeners': [usual, ...advertised].join(),
    'listener.security.protocol.map': ['CLIENTS:SASL_SSL', ...protocols, 'CONTROLLER:SASL_SSL'].join(),
    'listener.name.stranger.ssl.keystore.location': strangerKeys,
    'listener.name.certified.ssl.client.auth': 'required',
  };
}

async function freePorts(doors: readonly Door[]): Promise<Map<Door, number>> {
  const ports = new Map<Door, number>();
  for (const door of doors) ports.set(door, await findFreePort());
  return ports;
}

function findPort(ports: ReadonlyMap<Door, number>, door: Door): number {
  const port = ports.get(door);
  if (port === undefined) throw new Error(`there is no door ${door}`);
  return port;
}

async function startFront(): Promise<Front> {
  let target = 0;
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server: Server = createServer(socket => {
    const upstream = connect(target, '127.0.0.1');
    for (const [end, far] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(end);
      end.setNoDelay();
      end.on('error', () => {});
      end.once('close', () => {
        sockets.delete(end);
        far.destroy();
      });
      end.pipe(far);
    }
  });
  const port = await findFreePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port,
    leadTo(next) {
      target = next;
      cut();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
    },
  };
}
