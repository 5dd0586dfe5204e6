import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { bundledPrograms } from './service-bundles.ts';
import { serviceNames } from './service-instances.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface ComposeService {
  readonly build?: { readonly target: string; readonly dockerfile: string };
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly aliases?: string[] } | null>>;
  readonly network_mode?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources?: { readonly limits: Readonly<Record<string, unknown>> };
  };
}
interface Composition {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: object;
  readonly networks: object;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly args: readonly string[] }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

const composition = parse(read('docker-compose.yml'), { merge: true }) as Composition;
const services = Object.entries(composition.services);
const dockerfile = read('deploy/images/Dockerfile');
const stages = new Map(
  dockerfile.split(/^(?=FROM )/m).flatMap(text => {
    const name = /^FROM \S+ AS (\S+)/.exec(text)?.[1];
    return name === undefined ? [] : [[name, text] as const];
  }),
);

/** The service that one of the profile `ha` stands for: `storage` for `storage-ha`, `etcd` for `etcd-2`. */
const roleFromName = (name: string) => name.replace(/-(?:ha|\d)$/, '');
const rolesFromNames = (names: readonly string[]) => [...new Set(names.map(roleFromName))].sort();

/** The command line of a container, with the flags that its environment has. */
function readCommand({ command = [], environment = {} }: ComposeService): readonly string[] {
  const flags = Object.entries(environment).flatMap(([name, value]) => {
    const flag = /^BINNACLE_(.*)$/.exec(name)?.[1];
    return flag === undefined ? [] : [`--${flag.toLowerCase().replaceAll('_', '-')}=${value}`];
  });
  return [...command, ...flags];
}

/** Containers that an operator runs once, beside or instead of the services. */
const commands: readonly string[] = ['binnaclectl', 'names-convert', 'restore'];

/** The containers that the profile `tracing` adds to another one. */
const tracing: readonly string[] = ['collector', 'zipkin'];

/** The flags of a service, by the document that is generated from them. */
function knownFlags(service: string): string[] {
  const rows = [
    ...read('docs/flags.md').matchAll(
      /^\| `--([a-z0-9-]+)` \|(?:[^|\\]|\\.)*\|(?:[^|\\]|\\.)*\| ([^|]+) \|/gm,
    ),
  ];
  return rows.flatMap(([, flag = '', programs = '']) =>
    programs.split(', ').includes(service) ? [flag] : [],
  );
}

function listNetworks({ networks = [] }: ComposeService): readonly string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

const listMembers = (network: string) =>
  rolesFromNames(
    services.filter(([, service]) => listNetworks(service).includes(network)).map(([name]) => name),
  );

const listFlags = (args: readonly string[]) => args.map(text => /^--([^=]+)/.exec(text)?.[1] ?? text);

test('the compose file holds every service of the distributed form', () => {
  const others = ['backend-users', 'etcd', 'grafana', 'kafka', 'load-balancer', 'pki', 'prometheus', 'redis'];
  const expected = [...serviceNames, ...others, ...commands, ...tracing, 'backup'].sort();
  assert.deepEqual(rolesFromNames(services.map(([name]) => name)), expected);
});

test('requests are served without any single pod', () => {
  for (const [name, { deploy }] of services)
    if (serviceNames.some(service => service === roleFromName(name))) assert.equal(deploy?.replicas, 2, name);
});

test('every container has resource limits, a read-only file system, no capabilities and a bounded log', () => {
  for (const [name, service] of services) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.deepEqual(Object.keys(service.logging?.options ?? {}), ['max-size', 'max-file'], name);
    const limits = Object.keys(service.deploy?.resources?.limits ?? {});
    assert.deepEqual(limits.sort(), ['cpus', 'memory', 'pids'], name);
  }
});

test('one-off commands run only when they are named, and end', () => {
  for (const name of commands) {
    const { profiles, build, image, restart, entrypoint = [] } = composition.services[name] ?? {};
    assert.deepEqual([profiles, restart], [['tools'], 'no'], name);
    assert.deepEqual([build?.target, image], ['binnaclectl', 'binnacle/binnaclectl']);
    assert.deepEqual(entrypoint.slice(0, 2), ['node', 'clients/binnaclectl/main.ts']);
  }
  const stage = stages.get('binnaclectl') ?? '';
  assert.match(stage, /^FROM runtime /);
  assert.match(stage, /^COPY clients\/binnaclectl /m);
  assert.match(stage, /^ENTRYPOINT \["node", "clients\/binnaclectl\/main.ts"\]$/m);
});

/** Programs on the store of the composition, and the manifests that run them on a cluster. */
const onTheStore: readonly [name: string, manifest: string][] = [
  ['names-convert', 'names-convert/job.yaml'],
  ['backup', 'backup/cronjob.yaml'],
  ['restore', 'restore/job.yaml'],
];

for (const [name, manifest] of onTheStore)
  test(`${name} reaches the store of the compose file by the settings of storage`, () => {
    const { environment = {}, volumes = [] } = composition.services[name] ?? {};
    const storage = composition.services['storage'];
    const ofStorage = readCommand(storage ?? {}).flatMap(text => {
      // The quota of etcd does not concern the connection.
      const [, flag = '', value = ''] = /^--(etcd-(?!quota)[^=]+)=(.*)$/.exec(text) ?? [];
      return flag === '' ? [] : [[`BINNACLE_${flag.replaceAll('-', '_').toUpperCase()}`, value] as const];
    });
    assert.ok(ofStorage.length > 5);
    assert.deepEqual(environment, Object.fromEntries(ofStorage));
    const others = volumes.filter(volume => !volume.startsWith('backups:'));
    assert.ok(others.every(volume => storage?.volumes?.includes(volume)) && others.length === 1);
    const [job] = parseAllDocuments(read(`deploy/kubernetes/${manifest}`)).map(
      each => each.toJS() as Manifest & { readonly spec: { readonly jobTemplate?: Manifest } },
    );
    const template = (job?.spec.jobTemplate ?? job)?.spec.template;
    const args = template?.spec.containers[0]?.args ?? [];
    const isOfEtcd = (text: string) => /^--etcd-(?!quota)/.test(text);
    assert.deepEqual(args.filter(isOfEtcd), podArguments('storage').filter(isOfEtcd));
  });

test('a long-running container makes backups on a schedule', () => {
  const { profiles, restart, command = [] } = composition.services['backup'] ?? {};
  assert.deepEqual([profiles, restart], [['backup'], 'unless-stopped']);
  assert.deepEqual(listFlags(command), ['directory', 'every', 'keep']);
});

const withProfile = (profile: string) =>
  services.filter(([, { profiles = [] }]) => profiles.includes(profile)).map(([name]) => name);

test('the profile ha has three members of etcd and Kafka, and every other service as in the default profile', () => {
  const names = withProfile('ha');
  assert.deepEqual(rolesFromNames(names), [...withProfile('full')].sort());
  for (const role of ['etcd', 'kafka']) {
    const three = [1, 2, 3].map(number => `${role}-${number}`);
    assert.deepEqual(
      names.filter(name => roleFromName(name) === role),
      three,
    );
  }
  const differs = ['profiles', 'environment', 'networks', 'depends_on', 'volumes'];
  const kept = (service: object | undefined) =>
    Object.fromEntries(Object.entries(service ?? {}).filter(([key]) => !differs.includes(key)));
  for (const name of names.filter(each => roleFromName(each) !== each)) {
    const [own, other] = [composition.services[name], composition.services[roleFromName(name)]];
    assert.ok(own && other);
    if (name !== 'backend-users-ha') assert.deepEqual(kept(own), kept(other), name);
    assert.deepEqual(listNetworks(own), listNetworks(other), name);
    assert.deepEqual(
      Object.keys(other.environment ?? {}).filter(key => !(key in (own.environment ?? {}))),
      [],
    );
    // Others know a service by its role.
    const isService = serviceNames.some(each => each === roleFromName(name));
    const onServices = Array.isArray(own.networks) ? undefined : Object(own.networks)['services'];
    if (isService) assert.deepEqual(onServices, { aliases: [roleFromName(name)] }, name);
    const missing = Object.keys(own.depends_on ?? {}).filter(each => !names.includes(each));
    assert.deepEqual(missing, [], name);
  }
});

test('in the profile ha every user of a backend has the addresses of all three', () => {
  const addresses = (role: string, port: number, scheme = '') =>
    [1, 2, 3].map(number => `${scheme}${role}-${number}:${port}`).join(',');
  const [etcd, kafka] = [addresses('etcd', 2379, 'https://'), addresses('kafka', 9092)];
  for (const [name, flags] of [
    [
      'storage-ha',
      [
        `--etcd-endpoints=${etcd}`,
        `--kafka-brokers=${kafka}`,
        '--kafka-replication-factor=3',
        '--kafka-min-insync-replicas=2',
      ],
    ],
    ['gateway-ha', [`--kafka-brokers=${kafka}`]],
    ['admission-ha', [`--kafka-brokers=${kafka}`]],
    ['backend-users-ha', [`--kafka=${kafka}`]],
  ] as const) {
    const args = readCommand(composition.services[name] ?? {});
    for (const flag of flags) assert.ok(args.includes(flag), `${name}: ${flag}`);
  }
  for (const number of [1, 2, 3]) {
    const { environment = {}, volumes = [] } = composition.services[`etcd-${number}`] ?? {};
    assert.equal(environment['ETCD_NAME'], `etcd-${number}`);
    assert.equal(environment['ETCD_ADVERTISE_CLIENT_URLS'], `https://etcd-${number}:2379`);
    const own = `etcd-${number}=${environment['ETCD_INITIAL_ADVERTISE_PEER_URLS']}`;
    assert.ok(environment['ETCD_INITIAL_CLUSTER']?.split(',').includes(own));
    assert.equal(environment['ETCD_INITIAL_CLUSTER']?.split(',').length, 3);
    assert.ok(volumes.some(volume => volume.startsWith(`etcd-data-${number}:`)));
    const broker = composition.services[`kafka-${number}`];
    assert.equal(broker?.environment?.['PROPERTIES'], `server-${number}.properties`);
    assert.ok(broker?.volumes?.some(volume => volume.startsWith(`kafka-data-${number}:`)));
  }
});

test('the minimal profile is everything but monitoring, and .env selects the full one', () => {
  const all = services
    .map(([name]) => name)
    .filter(name => ![...commands, ...tracing, 'backup'].includes(name) && roleFromName(name) === name);
  assert.deepEqual(withProfile('full'), all);
  assert.deepEqual(
    withProfile('minimal'),
    all.filter(name => name !== 'prometheus' && name !== 'grafana'),
  );
  assert.match(read('.env'), /^COMPOSE_PROFILES=full$/m);
});

test('the profile tracing adds a collector and a viewer, which services are told of by one variable', () => {
  assert.deepEqual(withProfile('tracing'), tracing);
  const file = parse(read('deploy/tracing/tracing.yaml')) as { endpoint: string };
  const { receivers, exporters } = parse(read('deploy/tracing/collector.yaml')) as {
    receivers: { otlp: { protocols: { grpc: { endpoint: string } } } };
    exporters: { zipkin: { endpoint: string } };
  };
  assert.equal(file.endpoint, 'collector:4317');
  assert.equal(receivers.otlp.protocols.grpc.endpoint, '0.0.0.0:4317');
  assert.equal(exporters.zipkin.endpoint, 'http://zipkin:9411/api/v2/spans');
  const traced = services.filter(([, { command = [] }]) =>
    command.some(text => /^--tracing-config-file=\$\{BINNACLE_TRACING_CONFIG_FILE:-\}$/.test(text)),
  );
  const names = ['admission', 'gateway', 'storage', 'token-review', 'webhook-dispatch'];
  assert.deepEqual(rolesFromNames(traced.map(([name]) => name)), names);
  for (const [name, { volumes = [] }] of traced)
    assert.ok(volumes.includes('./deploy/tracing:/etc/binnacle/tracing:ro'), name);
});

test('Grafana has no account and therefore no password', () => {
  const { environment = {} } = composition.services['grafana'] ?? {};
  assert.equal(environment['GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION'], 'true');
  assert.equal(environment['GF_AUTH_BASIC_ENABLED'], 'false');
  assert.equal(environment['GF_AUTH_DISABLE_LOGIN_FORM'], 'true');
});

test('health checks start no second Node or Java process', () => {
  const tests = services.map(([, { healthcheck }]) => (healthcheck?.test ?? []).join(' '));
  const inImages = [...dockerfile.matchAll(/^HEALTHCHECK .*\\\n\s*CMD (.*)/gm)].map(
    ([, command = '']) => command,
  );
  assert.ok(inImages.length >= 2);
  for (const command of [...tests, ...inImages])
    assert.doesNotMatch(command, /\bnode\b|\bjava\b|\/opt\/kafka/, command);
});

test('gateways trust the PROXY header of the load balancer alone, on a network without other senders', () => {
  assert.deepEqual(listMembers('front'), ['gateway', 'load-balancer']);
  const { front } = composition.networks as Record<string, { ipam: { config: { subnet: string }[] } }>;
  const [subnet] = front?.ipam.config ?? [];
  const { command = [], networks = [] } = composition.services['gateway'] ?? {};
  assert.ok(command.includes(`--proxy-protocol-networks=${subnet?.subnet}`));
  assert.deepEqual((networks as Record<string, unknown>)['front'], { aliases: ['gateways'] });
  assert.match(read('deploy/compose/haproxy.cfg'), /server-template gateway \d+ gateways:6443 /);
});

for (const name of serviceNames) {
  test(`${name}: its containers and pods have known flags only`, () => {
    const known = knownFlags(name);
    for (const args of [readCommand(composition.services[name] ?? {}), podArguments(name)]) {
      assert.ok(args.length > 0);
      const unknown = listFlags(args).filter(flag => !known.includes(flag));
      assert.deepEqual(unknown, []);
    }
  });

  test(`${name}: its image starts its bundle as an unprivileged user`, () => {
    assert.match(stages.get(name) ?? '', new RegExp(`ENTRYPOINT \\["node", "dist/${name}.mjs"\\]`));
    assert.match(stages.get(name) ?? '', /^FROM service /);
    assert.match(stages.get('service') ?? '', /^FROM runtime /);
    assert.match(stages.get('runtime') ?? '', /^USER node$/m);
    assert.match(stages.get('runtime') ?? '', /^HEALTHCHECK /m);
  });

  test(`${name}: its calls use a certificate of its own`, () => {
    const { command = [], volumes = [] } = composition.services[name] ?? {};
    assert.ok(!listFlags(command).includes('insecure'));
    if (name === 'controller-manager') {
      // It calls the public API alone, as the client that its configuration names.
      assert.ok(!listFlags(command).includes('tls-dir'));
      assert.ok(command.includes('--kubeconfig=/etc/binnacle/configuration/controller-manager.conf'));
      assert.ok(volumes.includes('controllers:/etc/binnacle/configuration:ro'));
      return;
    }
    assert.ok(command.includes('--tls-dir=/etc/binnacle/tls'));
    assert.ok(volumes.includes(`${name}-certificate:/etc/binnacle/tls:ro`));
  });
}

test('every image that is built is a target of the Dockerfile', () => {
  for (const [name, { build }] of services) {
    if (build === undefined) continue;
    assert.ok(existsSync(join(root, build.dockerfile)), name);
    assert.ok(stages.has(build.target), `${name}: no target ${build.target}`);
  }
});

test('every service image starts a bundle and has the compile cache of it', () => {
  const started = [...stages].flatMap(([name, text]) => (/^FROM service /.test(text) ? [name] : []));
  assert.deepEqual(started.toSorted(), bundledPrograms.toSorted());
  for (const name of started)
    assert.match(stages.get(name) ?? '', new RegExp(`^ENTRYPOINT \\["node", "dist/${name}\\.mjs"`, 'm'));
  assert.match(stages.get('bundles') ?? '', /^RUN node deploy\/compose\/build-services.ts /m);
  const service = stages.get('service') ?? '';
  assert.match(service, /^COPY --from=bundles --chown=0:0 \/opt\/binnacle\/dist \.\/dist$/m);
  assert.match(service, /^ENV NODE_COMPILE_CACHE=\/opt\/binnacle\/dist\/compiled$/m);
  // Node finds what it has compiled by the place of the file, the user and the options.
  for (const line of [/^WORKDIR .*$/m, /^USER .*$/m, /^ENV NODE_OPTIONS=.*$/m]) {
    const [inBundles] = line.exec(stages.get('bundles') ?? '') ?? [];
    assert.ok(inBundles);
    assert.equal(line.exec(stages.get('runtime') ?? '')?.[0], inBundles);
  }
});

test('every container has a health check, except those that end', () => {
  for (const [name, { build, healthcheck }] of services) {
    // The image of the collector holds its program alone.
    if (name === 'pki' || name === 'backend-users' || name === 'collector' || commands.includes(name))
      continue;
    const own = /HEALTHCHECK/.test(stages.get(build?.target ?? '') ?? '');
    const inherited = /^FROM (runtime|service) /.test(stages.get(build?.target ?? '') ?? '');
    assert.ok(healthcheck !== undefined || own || inherited, `${name} has no health check`);
  }
});

test('ports are published on loopback only', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []);
  assert.ok(ports.length > 0);
  for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
});

test('every volume, network and dependency that is named is defined', () => {
  for (const [name, service] of services) {
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0]!; // A split has at least one part.
      const exists = source.startsWith('.') ? existsSync(join(root, source)) : source in composition.volumes;
      assert.ok(exists, `${name}: no volume ${source}`);
    }
    for (const network of listNetworks(service)) assert.ok(network in composition.networks, network);
    assert.ok(service.networks !== undefined || service.network_mode !== undefined, name);
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in composition.services);
  }
});

test('each backend has a network that only its clients share', () => {
  assert.deepEqual(listMembers('state'), [
    'backend-users',
    'backup',
    'etcd',
    'names-convert',
    'restore',
    'storage',
  ]);
  assert.deepEqual(listMembers('feed'), ['admission', 'backend-users', 'gateway', 'kafka', 'storage']);
  assert.deepEqual(listMembers('cache'), ['redis', 'token-review']);
  for (const [backend, network] of [
    ['etcd', 'state'],
    ['kafka', 'feed'],
    ['redis', 'cache'],
  ] as const) {
    assert.deepEqual(composition.services[backend]?.networks, [network]);
    assert.deepEqual(composition.services[backend]?.ports ?? [], []);
    assert.deepEqual((composition.networks as Record<string, unknown>)[network], { internal: true });
  }
});

test('no gateway shares a network with etcd or Redis', () => {
  const networksOfService = (name: string) => listNetworks(composition.services[name] ?? {});
  const ofGateway = networksOfService('gateway');
  for (const backend of ['etcd', 'redis']) {
    assert.deepEqual(
      networksOfService(backend).filter(network => ofGateway.includes(network)),
      [],
    );
  }
});

/** For each backend: the flags of every service that talks to it, by the prefix of the flag that names its address. */
const lockedFlags: readonly (readonly [address: RegExp, needed: readonly string[]])[] = [
  [
    /^--etcd-endpoints=https:/,
    ['etcd-cafile', 'etcd-certfile', 'etcd-keyfile', 'etcd-username', 'etcd-password-file'],
  ],
  [
    /^--kafka-brokers=/,
    [
      'kafka-ca-file',
      'kafka-sasl-mechanism',
      'kafka-sasl-username',
      'kafka-sasl-password-file',
      'feed-key-file',
    ],
  ],
  [
    /^--redis-url=rediss:/,
    ['redis-ca-file', 'redis-cert-file', 'redis-key-file', 'redis-username', 'redis-password-file'],
  ],
];

test('services reach backends over TLS and with credentials, in containers and pods', () => {
  let found = 0;
  for (const name of serviceNames) {
    for (const args of [readCommand(composition.services[name] ?? {}), podArguments(name)]) {
      assert.ok(!args.some(text => /=(?:http|redis):\/\//.test(text)), `${name} talks plaintext`);
      assert.ok(!args.some(text => /:\/\/[^/]*@/.test(text)), `${name} has a password on its command line`);
      for (const [address, needed] of lockedFlags) {
        if (!args.some(text => address.test(text))) continue;
        found++;
        for (const flag of needed) assert.ok(listFlags(args).includes(flag), `${name} lacks --${flag}`);
        assert.ok(!args.includes('--feed-accept-unencrypted'));
      }
    }
  }
  // Storage two, gateway and admission the feed, token-review Redis; as containers and as pods.
  assert.equal(found, 2 * 5);
});

test('no backend listens in plaintext', () => {
  const etcd = composition.services['etcd']?.command ?? [];
  for (const text of etcd) assert.doesNotMatch(text, /http:/);
  for (const flag of ['client-cert-auth', 'peer-client-cert-auth'])
    assert.ok(listFlags(etcd).includes(flag), flag);
  assert.ok(etcd.includes('--enable-grpc-gateway=false'));
  const redis = (composition.services['redis']?.command ?? []).join(' ');
  assert.match(redis, /--port 0 --tls-port 6379 --tls-auth-clients yes/);
  assert.match(redis, /--aclfile /);
  const kafka = JSON.stringify(composition.services['kafka']);
  assert.doesNotMatch(kafka, /PLAINTEXT/);
});

test('etcd has a small snapshot count, and storage is configured with the quota of etcd', () => {
  const etcd = composition.services['etcd']?.command ?? [];
  assert.ok(etcd.includes('--snapshot-count=10000'));
  const findQuota = (command: readonly string[]) =>
    command.find(flag => /quota-backend-bytes=/.test(flag))?.split('=')[1];
  const storages = services.filter(([, { command = [] }]) => command.includes('--backend=etcd'));
  assert.ok(storages.length > 0);
  for (const [name, { command = [] }] of storages) assert.equal(findQuota(command), findQuota(etcd), name);
});

test('a secret of a backend is mounted only by the services that need it', () => {
  const mounts = services.flatMap(([name, { volumes = [] }]) =>
    volumes.map(volume => [volume.split(':')[0] ?? '', name] as const),
  );
  const findHolders = (volume: string) =>
    rolesFromNames(
      mounts.filter(([source, name]) => source === volume && name !== 'pki').map(([, name]) => name),
    );
  const expected: Readonly<Record<string, readonly string[]>> = {
    'etcd-server': ['etcd'],
    'etcd-administrator': ['backend-users'],
    'etcd-storage': ['backend-users', 'backup', 'names-convert', 'restore', 'storage'],
    backups: ['backup', 'restore'],
    'kafka-server': ['kafka'],
    'kafka-administrator': ['backend-users'],
    'kafka-storage': ['storage'],
    'kafka-gateway': ['gateway'],
    'kafka-admission': ['admission'],
    'redis-server': ['redis'],
    'redis-token-review': ['token-review'],
    'feed-keys': ['gateway', 'admission', 'storage'],
  };
  for (const [volume, holders] of Object.entries(expected))
    assert.deepEqual(findHolders(volume), [...holders].sort(), volume);
});

interface NetworkPolicy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly ingress?: readonly { readonly from?: readonly { readonly podSelector: Selector }[] }[];
  };
}
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly values: readonly string[] }[];
}

test('network policies admit only the clients of a backend to its pods', () => {
  const policies = parseAllDocuments(read('deploy/kubernetes/network-policies.yaml')).map(
    each => each.toJS() as NetworkPolicy,
  );
  const label = 'app.kubernetes.io/name';
  const namesIn = ({ matchLabels, matchExpressions = [] }: Selector): readonly string[] => [
    ...(matchLabels === undefined ? [] : [matchLabels[label] ?? '']),
    ...matchExpressions.flatMap(({ values }) => values),
  ];
  const findCallers = (backend: string) =>
    policies
      .filter(({ spec }) => spec.podSelector.matchLabels?.[label] === backend)
      .flatMap(({ spec }) => spec.ingress ?? [])
      .flatMap(({ from = [] }) => from)
      .flatMap(({ podSelector }) => namesIn(podSelector))
      .sort();
  assert.deepEqual(findCallers('etcd'), ['etcd', 'storage']);
  assert.deepEqual(findCallers('kafka'), ['admission', 'gateway', 'kafka', 'storage']);
  assert.deepEqual(findCallers('redis'), ['token-review']);
  // Policies add up: a rule for all pods would open the backends.
  for (const { metadata, spec } of policies)
    assert.ok(spec.podSelector.matchLabels !== undefined || spec.ingress === undefined, metadata.name);
});

test('the private key of service-account tokens is mounted only where tokens are signed and where the key is made', () => {
  const holders = services.filter(([, { volumes = [] }]) =>
    volumes.some(volume => volume.startsWith('service-account-signing-key:')),
  );
  assert.deepEqual(rolesFromNames(holders.map(([name]) => name)), ['controller-manager', 'gateway', 'pki']);
  const authorities = services.filter(([, { volumes = [] }]) =>
    volumes.some(v => v.startsWith('authority:')),
  );
  assert.deepEqual(
    authorities.map(([name]) => name),
    ['pki'],
  );
  const secret = 'binnacle-service-account-signing';
  const pods = serviceNames.filter(name => JSON.stringify(deployment(name)).includes(secret));
  assert.deepEqual(pods, ['gateway', 'controller-manager']);
});

test('gateways sign service-account tokens with the issuer that token-review accepts', () => {
  const findIssuer = (args: readonly string[]) =>
    args.filter(text => text.startsWith('--service-account-issuer='));
  const listArguments = (name: string) => [composition.services[name]?.command ?? [], podArguments(name)];
  for (const [i, args] of listArguments('gateway').entries()) {
    assert.ok(listFlags(args).includes('service-account-signing-key-file'));
    assert.deepEqual(findIssuer(args), findIssuer(listArguments('token-review')[i] ?? []));
  }
});

test('the certificates step writes each half of the service-account key into a folder of its own, and makes no other authority where a key is lost', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-certificates-'));
  try {
    const folders = ['service-account', 'service-account-signing', 'administrator', 'controllers'];
    for (const folder of folders) mkdirSync(join(directory, folder));
    const program = join(import.meta.dirname, 'create-certificates.ts');
    execFileSync(process.execPath, [program, '--directory', directory], { timeout: 60_000 });
    const key = readFileSync(join(directory, 'service-account-signing/service-account.key'), 'utf8');
    assert.deepEqual(
      createPublicKey(key).export({ type: 'spki', format: 'pem' }),
      readFileSync(join(directory, 'service-account/service-account.pub'), 'utf8'),
    );
    assert.deepEqual(readdirSync(join(directory, 'service-account')), ['service-account.pub']);
    const rules = readFileSync(join(directory, 'pki/backends/redis/server/users.acl'), 'utf8');
    const password = readFileSync(join(directory, 'pki/backends/redis/token-review/password'), 'utf8').trim();
    assert.match(rules, /^user default off /);
    assert.ok(!rules.includes(password));
    const properties = readFileSync(join(directory, 'pki/backends/kafka/server/server.properties'), 'utf8');
    assert.doesNotMatch(properties, /PLAINTEXT/);
    assert.match(properties, /^allow\.everyone\.if\.no\.acl\.found=false$/m);
    assert.match(properties, /^controller\.quorum\.voters=1@127\.0\.0\.1:9093$/m);
    for (const number of [1, 2, 3]) {
      const member = join(directory, `pki/backends/kafka/server/server-${number}.properties`);
      const text = readFileSync(member, 'utf8');
      assert.doesNotMatch(text, /PLAINTEXT/);
      assert.match(text, new RegExp(`^node\\.id=${number}$`, 'm'));
      assert.match(text, new RegExp(`^advertised\\.listeners=CLIENTS://kafka-${number}:9092$`, 'm'));
      assert.match(text, /^controller\.quorum\.voters=1@kafka-1:9093,2@kafka-2:9093,3@kafka-3:9093$/m);
      assert.match(text, /^offsets\.topic\.replication\.factor=3$/m);
    }
    for (const backend of ['etcd', 'kafka']) {
      const certificate = new X509Certificate(
        readFileSync(join(directory, `pki/backends/${backend}/server/tls.crt`)),
      );
      for (const name of [backend, `${backend}-1`, `${backend}-3`, '127.0.0.1'])
        assert.ok(certificate.checkHost(name) ?? certificate.checkIP(name), name);
    }
    rmSync(join(directory, 'pki/ca.key'));
    const { status, stderr } = spawnSync(process.execPath, [program, '--directory', directory], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(status, 1);
    assert.match(stderr, /^\S+ca\.key is not the key of \S+ca\.crt: put the right one back[^\n]*\n$/);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('images come from the default registry in fixed versions', () => {
  for (const [name, { image, build }] of services) {
    if (build !== undefined) continue;
    assert.match(image ?? '', /^[a-z]+(\/[a-z-]+)?:[\w.-]+$/, name);
    assert.doesNotMatch(image ?? '', /:latest$/, name);
  }
});

test('the kustomization lists every manifest, and each pod defines the volumes that it mounts', () => {
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as { resources: string[] };
  const files = globSync('*.yaml', { cwd: join(root, 'deploy/kubernetes') });
  assert.deepEqual([...resources, 'kustomization.yaml'].sort(), files.sort());
  for (const name of serviceNames) {
    const { containers, volumes } = deployment(name).spec.template.spec;
    const mounts = (containers[0] as unknown as { volumeMounts: { name: string }[] }).volumeMounts;
    assert.deepEqual(mounts.map(mount => mount.name).sort(), volumes.map(volume => volume.name).sort());
  }
});

test('Prometheus scrapes every service, and its rules and the dashboard are valid', () => {
  const prometheus = parse(read('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string; dns_sd_configs?: { names: string[] }[] }[];
    rule_files: string[];
  };
  const names = prometheus.scrape_configs
    .flatMap(each => each.dns_sd_configs ?? [])
    .flatMap(each => each.names);
  assert.deepEqual(names.sort(), [...serviceNames].sort());
  for (const file of prometheus.rule_files) {
    const rules = parse(read(`deploy/prometheus/${file}`)) as { groups: { rules: { expr: string }[] }[] };
    for (const rule of rules.groups.flatMap(group => group.rules)) assert.ok(rule.expr.length > 0);
  }
  const dashboard = JSON.parse(read('deploy/grafana/dashboards/binnacle.json')) as {
    panels: { id: number }[];
  };
  assert.equal(new Set(dashboard.panels.map(panel => panel.id)).size, dashboard.panels.length);
});

test('every metric in alerts and the dashboard is defined in a source file', () => {
  const sources = globSync('{libs,services}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
    .map(read)
    .join('\n');
  const used = `${read('deploy/prometheus/alerts.yml')}${read('deploy/grafana/dashboards/binnacle.json')}`;
  const names = used.match(/\b(?:apiserver|binnacle|authentication|token_review)_[a-z_]+/g) ?? [];
  const bases = new Set(names.map(name => name.replace(/_(?:bucket|count|sum)$/, '')));
  const unknown = [...bases].filter(
    base => !sources.includes(base) && !names.some(name => sources.includes(name)),
  );
  assert.deepEqual(unknown, []);
});

function deployment(name: string): Manifest {
  const documents = parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map(
    each => each.toJS() as Manifest,
  );
  const found = documents.find(each => each.kind === 'Deployment' && each.metadata.name === name);
  assert.ok(found, `no Deployment ${name}`);
  return found;
}

function podArguments(name: string): readonly string[] {
  return deployment(name).spec.template.spec.containers[0]?.args ?? [];
}
