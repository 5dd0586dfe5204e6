import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { serviceNames } from './topology.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface ComposeService {
  readonly build?: { readonly target: string; readonly dockerfile: string };
  readonly image?: string;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly deploy?: { readonly replicas: number };
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

function knownFlags(service: string): string[] {
  const main = join(root, 'services', service, 'main.ts');
  const help = execFileSync(process.execPath, [main, '--help'], { encoding: 'utf8', timeout: 30_000 });
  return [...help.matchAll(/^\s+--([a-z0-9-]+)/gm)].map(match => match[1]!); // The pattern has one group.
}

const flagsOf = (args: readonly string[]) => args.map(text => /^--([^=]+)/.exec(text)?.[1] ?? text);

test('the composition holds every part of the distributed form', () => {
  const others = ['etcd', 'grafana', 'kafka', 'load-balancer', 'pki', 'prometheus', 'redis'];
  assert.deepEqual(services.map(([name]) => name).sort(), [...serviceNames, ...others].sort());
  assert.equal(composition.services['gateway']?.deploy?.replicas, 2);
  assert.equal(composition.services['storage']?.deploy?.replicas, 2);
});

for (const name of serviceNames) {
  test(`${name}: its containers and pods are started with flags that it knows`, () => {
    const known = knownFlags(name);
    for (const args of [composition.services[name]?.command ?? [], podArguments(name)]) {
      assert.ok(args.length > 0);
      const unknown = flagsOf(args).filter(flag => !known.includes(flag));
      assert.deepEqual(unknown, []);
    }
  });

  test(`${name}: its image starts its main file as an ordinary user`, () => {
    assert.match(stages.get(name) ?? '', new RegExp(`ENTRYPOINT \\["node", "services/${name}/main.ts"\\]`));
    assert.match(stages.get(name) ?? '', /^FROM runtime /);
    assert.match(stages.get('runtime') ?? '', /^USER node$/m);
    assert.match(stages.get('runtime') ?? '', /^HEALTHCHECK /m);
  });

  test(`${name}: its calls are secured with a certificate of its own`, () => {
    const { command = [], volumes = [] } = composition.services[name] ?? {};
    assert.ok(!flagsOf(command).includes('insecure'));
    // The controllers call nobody but the public API.
    if (name === 'controller-manager') return;
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

test('every container watches its own health, but for the one that ends', () => {
  for (const [name, { build, healthcheck }] of services) {
    if (name === 'pki') continue;
    const own = /HEALTHCHECK/.test(stages.get(build?.target ?? '') ?? '');
    const inherited = /^FROM runtime/.test(stages.get(build?.target ?? '') ?? '');
    assert.ok(healthcheck !== undefined || own || inherited, `${name} has no health check`);
  }
});

test('ports are opened to this machine only', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []);
  assert.ok(ports.length > 0);
  for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
});

test('every volume, network and dependency that is named exists', () => {
  for (const [name, service] of services) {
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0]!; // A split has at least one part.
      const exists = source.startsWith('.') ? existsSync(join(root, source)) : source in composition.volumes;
      assert.ok(exists, `${name}: no volume ${source}`);
    }
    for (const network of service.networks ?? []) assert.ok(network in composition.networks, network);
    assert.ok(service.networks !== undefined || service.network_mode !== undefined, name);
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in composition.services);
  }
});

test('only gateways, and what makes it, mount the private key of service-account tokens', () => {
  const holders = services.filter(([, { volumes = [] }]) =>
    volumes.some(volume => volume.startsWith('service-account-signing-key:')),
  );
  assert.deepEqual(holders.map(([name]) => name).sort(), ['gateway', 'pki']);
  const authorities = services.filter(([, { volumes = [] }]) =>
    volumes.some(v => v.startsWith('authority:')),
  );
  assert.deepEqual(
    authorities.map(([name]) => name),
    ['pki'],
  );
  const secret = 'binnacle-service-account-signing';
  const pods = serviceNames.filter(name => JSON.stringify(deployment(name)).includes(secret));
  assert.deepEqual(pods, ['gateway']);
});

test('gateways sign the service-account tokens that token-review takes', () => {
  const issuerOf = (args: readonly string[]) =>
    args.filter(text => text.startsWith('--service-account-issuer='));
  const argumentsOf = (name: string) => [composition.services[name]?.command ?? [], podArguments(name)];
  for (const [i, args] of argumentsOf('gateway').entries()) {
    assert.ok(flagsOf(args).includes('service-account-signing-key-file'));
    assert.deepEqual(issuerOf(args), issuerOf(argumentsOf('token-review')[i] ?? []));
  }
});

test('the certificates step puts each half of the service-account key into a folder of its own', () => {
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
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('images come from the default registry, each in a fixed version', () => {
  for (const [name, { image, build }] of services) {
    if (build !== undefined) continue;
    assert.match(image ?? '', /^[a-z]+(\/[a-z]+)?:[\w.-]+$/, name);
    assert.doesNotMatch(image ?? '', /:latest$/, name);
  }
});

test('the kustomization lists every manifest, and each pod mounts volumes that it has', () => {
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as { resources: string[] };
  const files = globSync('*.yaml', { cwd: join(root, 'deploy/kubernetes') });
  assert.deepEqual([...resources, 'kustomization.yaml'].sort(), files.sort());
  for (const name of serviceNames) {
    const { containers, volumes } = deployment(name).spec.template.spec;
    const mounts = (containers[0] as unknown as { volumeMounts: { name: string }[] }).volumeMounts;
    assert.deepEqual(mounts.map(mount => mount.name).sort(), volumes.map(volume => volume.name).sort());
  }
});

test('Prometheus reads the metrics of every service, and its rules and the dashboard are whole', () => {
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

test('every metric that alerts and the dashboard name is one that a source file names', () => {
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
