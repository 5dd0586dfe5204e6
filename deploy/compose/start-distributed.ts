import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import {
  type EtcdServer,
  findFreePort,
  type KafkaServer,
  type ManagedProcess,
  PeerLinks,
  pollUntil,
  type RedisServer,
  startManagedProcess,
} from '@binnacle/backends';
import { type Credentials, prepareCredentials } from './credentials.ts';
import { haproxyProgram, startLocalBalancer } from './local-balancer.ts';
import { type PortPlan, planPorts } from './ports.ts';
import { bundledProgram, compiledBundles, currentBundles } from './service-bundles.ts';
import { planInstances, type ServiceInstance, type ServiceName } from './service-instances.ts';
import { allStarted, type Backends, planBackends, startBackends } from './start-backends.ts';
import { createArguments, gatewayAddresses } from './topology.ts';

const readyTimeoutMs = 120_000;
const stopTimeoutMs = 5_000;
/** Stop timeout of a gateway behind the load balancer, which waits until the balancer notices. */
const balancedStopTimeoutMs = 8_000;

/** Options of the distributed form. */
export interface DistributedOptions {
  /** Holds all state: `admin.conf`, `pki/`, the stores, `run/<service>-<n>.pid` and `.log`. */
  readonly dataDirectory: string;
  /** The first gateway's port; the other gateways have those after it. 6443 by default. */
  readonly port?: number;
  /** Gateways, 1 to 8; 2 by default. */
  readonly gateways?: number;
  /** Users by bearer token, in the format of kube-apiserver's token file. */
  readonly tokenAuthFile?: string;
  /** Starts three members of etcd and three brokers of Kafka instead of one. */
  readonly ha?: boolean;
  /** With `ha`: members of etcd reach each other over links that `divide` cuts. */
  readonly links?: boolean;
  /** The size at which etcd stops accepting writes; 512 MiB by default. */
  readonly etcdQuotaBytes?: number;
  /** Starts a load balancer on the port after the gateways', where HAProxy is installed. */
  readonly balancer?: boolean;
  /** Starts one more gateway, `gateway-3` beside two, that serves plain HTTP on loopback: for measurements beside the others. */
  readonly plainGateway?: boolean;
  /** Time that a process has to stop, in ms; by default 5 s, and 8 s a gateway behind the load balancer. */
  readonly stopTimeoutMs?: number;
  /** `--name=value` for the command lines of a service; they replace flags of the form that have the same name. */
  readonly arguments?: Readonly<Partial<Record<ServiceName, readonly string[]>>>;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
  /** The program of another release that is started as the process of that name; default: that of this release. */
  programOf?(name: string): string | undefined;
  /** Added to the environment of the process of that name. */
  environmentOf?(name: string): Readonly<Record<string, string>>;
  /** Called when a process ends by itself; it is not restarted. */
  onUnexpectedExit?(description: string, managed: ManagedProcess): void;
}

/** The running distributed form; disposing ends all of it within 20 seconds. */
export interface Distributed extends AsyncDisposable {
  /** The client configuration of an administrator, for the first gateway. */
  readonly adminConfiguration: string;
  /** `https://host:port` of each gateway. */
  readonly gateways: readonly string[];
  /** `https://host:port` of the load balancer, when there is one. */
  readonly balancer: string | undefined;
  /** `http://host:port` of the plain gateway, when there is one. */
  readonly plainGateway: string | undefined;
  /** The first member of etcd, and the only one without `ha`. */
  readonly etcd: EtcdServer;
  /** The first broker of Kafka, and the only one without `ha`. */
  readonly kafka: KafkaServer;
  readonly redis: RedisServer;
  readonly etcdMembers: readonly EtcdServer[];
  readonly kafkaBrokers: readonly KafkaServer[];
  /**
   * Divides the members of etcd into parts that do not hear each other, as `[['etcd-1'], ['etcd-2', 'etcd-3']]`; none joins
   * them. Clients reach each of them all the same. Throws without `links`.
   */
  divide(...parts: readonly (readonly string[])[]): void;
  /** Every process by its name: `gateway-1`, `storage-2`, `etcd-1`, … Each can be killed and restarted. */
  readonly processes: ReadonlyMap<string, ManagedProcess>;
  /** The process of that name; throws when there is none. */
  process(name: string): ManagedProcess;
  /** The port of a service's metrics and health, by the name of the process. */
  operationsPort(name: string): number;
  /**
   * Starts one more gateway beside the others, with a number after theirs and with these arguments after those of all
   * gateways, and waits until it is ready. It is not among `processes`, and ends with the whole.
   */
  addGateway(...flags: string[]): Promise<AddedGateway>;
  /**
   * Starts one more process of another service, with these arguments after those of its service, and gives its `host:port`
   * once it answers. Only an added gateway that has the address among its flags calls it. It is not among `processes`, and
   * ends with the whole.
   */
  addService(service: CalledService, ...flags: string[]): Promise<string>;
  /**
   * Stops a process of a service and starts it with these arguments after those of its service, from then on and at the same
   * addresses; resolves once it is ready.
   */
  restartWith(name: string, ...flags: string[]): Promise<void>;
  /** Waits until every gateway is ready, and the load balancer knows of one. */
  waitUntilReady(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** A service that gateways call at addresses among their flags. */
export type CalledService = 'admission' | 'token-review';

/** A gateway that was started later than the others. */
export interface AddedGateway {
  /** `https://host:port`. */
  readonly url: string;
  /** The port of its metrics and health. */
  readonly operationsPort: number;
  readonly process: ManagedProcess;
}

interface Plan {
  /** The links between the members of etcd. */
  readonly links: PeerLinks | undefined;
  readonly dataDirectory: string;
  /** The folder of the programs of services. */
  readonly bundles: string;
  readonly ports: PortPlan;
  readonly credentials: Credentials;
  readonly gateways: readonly string[];
  readonly options: DistributedOptions;
  readonly hasBalancer: boolean;
}

/**
 * Starts etcd, Kafka, Redis and every service as processes of their own, all at once, and waits until all
 * gateways are ready and the controllers run. Every backend is behind TLS and opens to its users alone. A start that
 * fails ends what it has started.
 */
export async function startDistributed(options: DistributedOptions): Promise<Distributed> {
  const dataDirectory = resolve(options.dataDirectory);
  mkdirSync(join(dataDirectory, 'run'), { recursive: true });
  const release = lockDataDirectory(dataDirectory);
  const processes = new Map<string, ManagedProcess>();
  const added = new Map<string, ManagedProcess>();
  const links = options.links ? new PeerLinks(() => processes.values()) : undefined;
  const stop = async () => {
    links?.divide([]);
    await stopAll(new Map([...processes, ...added]));
    await links?.[Symbol.asyncDispose]();
    release();
  };
  try {
    const plan = { links, ...(await planStart(dataDirectory, options)) };
    const backends = await startAll(plan, processes);
    const distributed = distributedFrom({ plan, processes, added, stop, ...backends });
    const { signal } = options;
    await distributed.waitUntilReady(signal);
    await waitForLeader({ plan, processes, ...(signal ? { signal } : {}) });
    return distributed;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function planStart(dataDirectory: string, options: DistributedOptions): Promise<Omit<Plan, 'links'>> {
  const port = options.port ?? 6443;
  const instances = planInstances(options.gateways);
  const ports = await planPorts(port, planBackends(dataDirectory, options), instances);
  const gateways = gatewayAddresses(ports);
  const credentials = await prepareCredentials(dataDirectory, `https://127.0.0.1:${port}`);
  const hasBalancer = options.balancer === true && haproxyProgram() !== undefined;
  const bundles = await currentBundles();
  return { dataDirectory, bundles, ports, credentials, gateways, options, hasBalancer };
}

async function startAll(plan: Plan, processes: Map<string, ManagedProcess>): Promise<Backends> {
  const keep = <P extends ManagedProcess>(started: Promise<P>): Promise<P> =>
    started.then(child => {
      processes.set(child.name, child);
      return child;
    });
  const { etcdQuotaBytes } = plan.options;
  const backends = startBackends({
    ...plan,
    keep,
    processOptions: name => processOptions(name, plan),
    ...(etcdQuotaBytes ? { etcdQuotaBytes } : {}),
  });
  const balancer = startBalancer(plan).then(child => child && keep(Promise.resolve(child)));
  const { all, plainGateway } = plan.ports.instances;
  const instances = plan.options.plainGateway ? [...all, plainGateway] : all;
  const services = instances.map(instance => keep(startService(instance, plan)));
  // Every start must have ended before a failure is acted upon, or a late child would be left behind.
  await allStarted([backends, balancer, ...services]);
  return backends;
}

async function startBalancer(plan: Plan): Promise<ManagedProcess | undefined> {
  if (!plan.hasBalancer) return undefined;
  const { ports, dataDirectory } = plan;
  return startLocalBalancer({
    directory: join(dataDirectory, 'balancer'),
    port: ports.balancer,
    gateways: gatewayAddresses(ports).map(address => Number(new URL(address).port)),
    ...processOptions('balancer-1', plan),
  });
}

function startService(instance: ServiceInstance, plan: Plan): Promise<ManagedProcess> {
  const { bundles, credentials, options, ports, hasBalancer } = plan;
  const { tokenAuthFile, etcdQuotaBytes } = options;
  const context = {
    ...{ ports, hasBalancer, ...credentials },
    ...(tokenAuthFile ? { tokenAuthFile } : {}),
    ...(etcdQuotaBytes ? { etcdQuotaBytes } : {}),
  };
  return startManagedProcess({
    name: instance.name,
    command: process.execPath,
    arguments: [
      options.programOf?.(instance.name) ?? bundledProgram(bundles, instance.service),
      ...combinedFlags(createArguments(instance, context), options.arguments?.[instance.service] ?? []),
    ],
    ready: signal => waitUntilAnswering(ports.operations.get(instance.name), signal),
    ...processOptions(instance.name, plan),
    // The first two name this form's own port and folder, which would be taken for those of each service.
    environment: {
      BINNACLE_PORT: undefined,
      BINNACLE_DATA_DIR: undefined,
      NODE_COMPILE_CACHE: compiledBundles(bundles),
      ...options.environmentOf?.(instance.name),
    },
  });
}

/** The later of two flags of one name counts. */
function combinedFlags(...lists: readonly (readonly string[])[]): string[] {
  const flagName = (flag: string) => flag.split('=', 1)[0] ?? '';
  return [...new Map(lists.flat().map(flag => [flagName(flag), flag])).values()];
}

// Any answer counts: a service that waits for another one has started too.
function waitUntilAnswering(operationsPort: number | undefined, signal: AbortSignal): Promise<void> {
  const url = `http://127.0.0.1:${operationsPort}/livez`;
  const answers = (question: AbortSignal) =>
    new Promise<boolean>((resolve, reject) => {
      const asking = get(url, { agent: false, signal: question }, answer => {
        answer.resume();
        resolve(true);
      });
      asking.on('error', reject);
    });
  // Ten programs that start take all of the processors: to be asked more often would keep them from it.
  return pollUntil(`an answer from ${url}`, answers, { signal, intervalMs: 100 });
}

function processOptions(name: string, { dataDirectory, options, hasBalancer }: Plan) {
  const { onUnexpectedExit, signal } = options;
  const ownStopTimeoutMs = hasBalancer && name.startsWith('gateway-') ? balancedStopTimeoutMs : stopTimeoutMs;
  return {
    stopTimeoutMs: options.stopTimeoutMs ?? ownStopTimeoutMs,
    logFile: join(dataDirectory, 'run', `${name}.log`),
    pidFile: join(dataDirectory, 'run', `${name}.pid`),
    ...(signal ? { signal } : {}),
    ...(onUnexpectedExit ? { onUnexpectedExit } : {}),
    ...(options.environmentOf ? { environment: options.environmentOf(name) } : {}),
  };
}

/** The plan of a running form, and its processes. */
interface RunningPlan {
  readonly plan: Plan;
  readonly processes: Map<string, ManagedProcess>;
  /** The processes that were started later, by name. */
  readonly added: Map<string, ManagedProcess>;
}

interface Parts extends Backends, RunningPlan {
  stop(): Promise<void>;
}

function distributedFrom({ plan, processes, added, stop, ...backends }: Parts): Distributed {
  const { credentials, gateways, ports } = plan;
  const { plainGateway } = ports.instances;
  const balancer = plan.hasBalancer ? `https://127.0.0.1:${ports.balancer}` : undefined;
  const doors = [...gateways, ...(balancer === undefined ? [] : [balancer])];
  const [etcd, kafka] = [backends.etcdMembers[0], backends.kafkaBrokers[0]];
  if (etcd === undefined || kafka === undefined) throw new Error('there is no etcd, or no Kafka');
  return {
    ...backends,
    etcd,
    kafka,
    divide(...parts) {
      if (plan.links === undefined) throw new Error('the members of etcd have no links that could be cut');
      plan.links.divide(parts);
    },
    adminConfiguration: credentials.adminConfiguration,
    gateways,
    balancer,
    plainGateway: plan.options.plainGateway
      ? `http://127.0.0.1:${ports.services.get(plainGateway.name)}`
      : undefined,
    processes,
    process(name) {
      const found = processes.get(name);
      if (found === undefined) throw new Error(`there is no process ${name}`);
      return found;
    },
    operationsPort(name) {
      const port = ports.operations.get(name);
      if (port === undefined) throw new Error(`there is no service process ${name}`);
      return port;
    },
    ...startingLater({ plan, processes, added }),
    async waitUntilReady(signal) {
      await Promise.all(
        doors.map(gateway => waitForGateway(gateway, { plan, processes, ...(signal ? { signal } : {}) })),
      );
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The processes of a form that are started, or started with other flags, while it runs. */
function startingLater({
  plan,
  processes,
  added,
}: RunningPlan): Pick<Distributed, 'addGateway' | 'addService' | 'restartWith'> {
  const { instances, operations } = plan.ports;
  let number = instances.plainGateway.number;
  const add = async (service: ServiceName, flags: readonly string[]): Promise<AddedProcess> => {
    number += 1;
    const one = await addProcess({ service, number, name: `${service}-${number}` }, flags, plan);
    added.set(one.process.name, one.process);
    return one;
  };
  return {
    async addGateway(...flags) {
      const { address, ...gateway } = await add('gateway', flags);
      const url = `https://${address}`;
      // A gateway starts while others, or backends, are away.
      await waitForGateway(url, { plan, processes: new Map([[gateway.process.name, gateway.process]]) });
      return { url, ...gateway };
    },
    addService: async (service, ...flags) => (await add(service, flags)).address,
    async restartWith(name, ...flags) {
      const instance = instances.all.find(candidate => candidate.name === name);
      if (instance === undefined) throw new Error(`there is no service process ${name}`);
      await processes.get(name)?.stop();
      processes.set(name, await startService(instance, withFlags(plan, instance.service, flags)));
      const url = `http://127.0.0.1:${operations.get(name)}/readyz`;
      await pollUntil(`${name} to be ready`, async signal => (await fetch(url, { signal })).ok);
    },
  };
}

/** A process of a service that was started later than the others. */
interface AddedProcess {
  /** `host:port`. */
  readonly address: string;
  readonly operationsPort: number;
  readonly process: ManagedProcess;
}

async function addProcess(
  instance: ServiceInstance,
  flags: readonly string[],
  plan: Plan,
): Promise<AddedProcess> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const ports: PortPlan = {
    ...plan.ports,
    services: new Map([...plan.ports.services, [instance.name, port]]),
    operations: new Map([...plan.ports.operations, [instance.name, operationsPort]]),
  };
  const process = await startService(instance, { ...withFlags(plan, instance.service, flags), ports });
  return { address: `127.0.0.1:${port}`, operationsPort, process };
}

/** The plan with these arguments after those of a service. */
function withFlags(plan: Plan, service: ServiceName, flags: readonly string[]): Plan {
  const { arguments: all = {} } = plan.options;
  const own = { ...all, [service]: [...(all[service] ?? []), ...flags] };
  return { ...plan, options: { ...plan.options, arguments: own } };
}

/** A condition to wait for, and the processes that must keep running meanwhile. */
interface Waiting {
  readonly plan: Plan;
  readonly processes: ReadonlyMap<string, ManagedProcess>;
  readonly signal?: AbortSignal;
}

function waitForGateway(gateway: string, at: Waiting): Promise<void> {
  const url = `${gateway}/readyz`;
  const { caFile, clientDirectory } = at.plan.credentials.pki;
  return waitFor(
    url,
    signal => probeHttps({ url, caFile, clientDirectory: clientDirectory('admin'), signal }),
    at,
  );
}

// Without its default account, which a controller makes, a namespace takes no pods.
function waitForLeader(at: Waiting): Promise<void> {
  const candidates = at.plan.ports.instances.all.filter(({ service }) => service === 'controller-manager');
  const leads = async (name: string, signal: AbortSignal): Promise<boolean> => {
    const url = `http://127.0.0.1:${at.plan.ports.operations.get(name)}/metrics`;
    const metrics = await (await fetch(url, { signal })).text();
    return /^leader_election_master_status\{.*\} 1$/m.test(metrics);
  };
  const anyLeads = async (signal: AbortSignal): Promise<boolean> =>
    (await Promise.all(candidates.map(({ name }) => leads(name, signal)))).includes(true);
  return waitFor('a controller manager that leads', anyLeads, at);
}

async function waitFor(
  what: string,
  probe: (signal: AbortSignal) => Promise<boolean>,
  at: Waiting,
): Promise<void> {
  const ended = new AbortController();
  const probeRunning = (signal: AbortSignal): Promise<boolean> => {
    const dead = [...at.processes.values()].find(child => !child.running);
    // Nothing restarts it, so that waiting is useless.
    if (dead !== undefined) ended.abort(new Error(`${dead.name} ${dead.ending}\nsee ${dead.logFile}`));
    return probe(signal);
  };
  const signal = AbortSignal.any([ended.signal, ...(at.signal ? [at.signal] : [])]);
  await pollUntil(what, probeRunning, { signal, intervalMs: 100, timeoutMs: readyTimeoutMs });
}

/** Ends first what serves clients, then what those call, then the servers below. */
async function stopAll(processes: ReadonlyMap<string, ManagedProcess>): Promise<void> {
  const stages = [
    /^(gateway|controller-manager)-/,
    /^(admission|token-review|webhook-dispatch|storage)-/,
    /./,
  ];
  for (const stage of stages) {
    const members = [...processes.values()].filter(child => stage.test(child.name));
    await Promise.all(members.map(child => child.stop()));
  }
}

function lockDataDirectory(dataDirectory: string): () => void {
  const lockFile = join(dataDirectory, 'run/distributed-1.pid');
  if (existsSync(lockFile) && isAlive(Number(readFileSync(lockFile, 'utf8')))) {
    throw new Error(
      `another distributed form uses ${dataDirectory} (process ${readFileSync(lockFile, 'utf8').trim()})`,
    );
  }
  writeFileSync(lockFile, `${process.pid}\n`);
  return () => rmSync(lockFile, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** One question to a health endpoint over HTTPS. */
interface HttpsProbe {
  readonly url: string;
  /** PEM of the authority to trust. */
  readonly caFile: string;
  /** The folder of a client certificate, for servers that answer no anonymous requests; undefined: none is shown. */
  readonly clientDirectory?: string;
  readonly signal: AbortSignal;
}

/** Says whether the endpoint answers 200; fails when it does not answer at all. */
function probeHttps({ url, caFile, clientDirectory, signal }: HttpsProbe): Promise<boolean> {
  const certificate = clientDirectory && {
    cert: readFileSync(join(clientDirectory, 'tls.crt')),
    key: readFileSync(join(clientDirectory, 'tls.key')),
  };
  return new Promise((resolve, reject) => {
    const probe = request(
      url,
      { ca: readFileSync(caFile), ...certificate, agent: false, signal },
      response => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode === 200));
      },
    );
    probe.on('error', reject);
    probe.end();
  });
}
