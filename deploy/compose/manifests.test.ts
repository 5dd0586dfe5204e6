import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { parseAllDocuments } from 'yaml';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly values: readonly string[] }[];
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string }[];
}
interface Container {
  readonly args: readonly string[];
  readonly envFrom?: unknown;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
}
interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly terminationGracePeriodSeconds?: number;
  };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
    readonly replicas?: number;
    readonly template: PodTemplate;
    /** Of a CronJob. */
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}

const directory = resolve(import.meta.dirname, '../kubernetes');
const root = resolve(directory, '../..');
const readme = readFileSync(join(directory, 'README.md'), 'utf8');

function findManifests(pattern: string): Manifest[] {
  return globSync(pattern, { cwd: directory }).flatMap(file =>
    parseAllDocuments(readFileSync(join(directory, file), 'utf8')).map(each => each.toJS() as Manifest),
  );
}

const manifests = findManifests('*.yaml');
const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
const jobs = [
  ...findManifests('{backend-users,names-convert,restore}/job.yaml'),
  ...findManifests('backup/cronjob.yaml').flatMap(({ metadata, spec }) =>
    spec.jobTemplate === undefined ? [] : [{ metadata, spec: spec.jobTemplate.spec }],
  ),
];
const templates = [...deployments, ...jobs].map(
  ({ metadata, spec }) => [metadata.name, spec.template] as const,
);

const nameLabel = 'app.kubernetes.io/name';

function namesIn({ matchLabels, matchExpressions = [] }: Selector): string[] {
  const own = matchLabels?.[nameLabel];
  return [...(own === undefined ? [] : [own]), ...matchExpressions.flatMap(({ values }) => values)];
}

/** Which names a pod of this name may connect to, or be connected to from, by rules that name pods. */
function listPeers(name: string, direction: 'ingress' | 'egress'): string[] {
  const rules = policies
    .filter(({ spec }) => spec.podSelector.matchLabels?.[nameLabel] === name)
    .flatMap(({ spec }) => spec[direction] ?? []);
  const peers = rules.flatMap(({ from = [], to = [] }) => [...from, ...to]);
  return peers.flatMap(({ podSelector }) => (podSelector ? namesIn(podSelector) : [])).sort();
}

test('network policies allow the calls between services, in both directions, and no others', () => {
  const calls: Readonly<Record<string, readonly string[]>> = {
    gateway: ['admission', 'kafka', 'storage', 'token-review', 'webhook-dispatch'],
    admission: ['kafka', 'storage', 'webhook-dispatch'],
    storage: ['etcd', 'kafka'],
    'token-review': ['redis', 'storage'],
    'webhook-dispatch': [],
    'controller-manager': ['gateway'],
    etcd: ['etcd'],
    kafka: ['kafka'],
    redis: [],
  };
  for (const [name, called] of Object.entries(calls)) {
    assert.deepEqual(listPeers(name, 'egress'), called, `what ${name} reaches`);
    const callers = Object.keys(calls).filter(caller => calls[caller]?.includes(name));
    // Clients of the gateway come from anywhere.
    if (name !== 'gateway')
      assert.deepEqual(listPeers(name, 'ingress'), callers.sort(), `what reaches ${name}`);
  }
});

test('all other traffic is denied, in both directions', () => {
  const [denied] = policies.filter(({ metadata }) => metadata.name === 'deny-by-default');
  assert.deepEqual(denied?.spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  for (const { metadata, spec } of policies) {
    assert.equal(
      spec.ingress === undefined,
      !spec.policyTypes.includes('Ingress') || spec === denied?.spec,
      metadata.name,
    );
    const open = (spec.egress ?? []).flatMap(({ to = [] }) => to).filter(({ ipBlock }) => ipBlock);
    if (open.length > 0) assert.ok(['gateway', 'webhook-dispatch'].includes(metadata.name), metadata.name);
  }
});

test('Prometheus may scrape the metrics port that every pod has', () => {
  const [policy] = policies.filter(({ metadata }) => metadata.name === 'prometheus-to-metrics');
  const [rule] = policy?.spec.ingress ?? [];
  assert.deepEqual(rule?.ports, [{ port: 'operations' }]);
  assert.deepEqual(
    rule?.from?.map(({ podSelector }) => podSelector?.matchLabels?.[nameLabel]),
    ['prometheus'],
  );
  assert.deepEqual(policy?.spec.podSelector.matchLabels, { 'app.kubernetes.io/part-of': 'binnacle' });
  for (const { metadata, spec } of deployments) {
    const { labels } = spec.template.metadata;
    assert.equal(labels[nameLabel], metadata.name);
    assert.equal(labels['app.kubernetes.io/part-of'], 'binnacle');
    const ports = spec.template.spec.containers[0]?.ports ?? [];
    assert.ok(
      ports.some(({ name }) => name === 'operations'),
      metadata.name,
    );
  }
});

test('every service has two pods, and a gateway has a grace period to leave the load balancer and finish', () => {
  assert.equal(deployments.length, 6);
  for (const { metadata, spec } of deployments) {
    assert.equal(spec.replicas, 2, metadata.name);
    const { containers, terminationGracePeriodSeconds = 0 } = spec.template.spec;
    const seconds = (flag: string) =>
      Number(containers[0]?.args.join(' ').match(new RegExp(`--${flag}=(\\d+)s`))?.[1] ?? 0);
    const delay = seconds('shutdown-delay-duration');
    if (metadata.name === 'gateway') assert.ok(delay > 10);
    // The remainder is for the calls between services, which end after ten seconds.
    assert.ok(
      terminationGracePeriodSeconds >= delay + seconds('shutdown-drain-duration') + 10,
      metadata.name,
    );
  }
});

test('every service reads the API names from one ConfigMap', () => {
  const kustomization = readFileSync(join(directory, 'kustomization.yaml'), 'utf8');
  const generated = parseAllDocuments(kustomization).flatMap(document => document.toJS().configMapGenerator);
  assert.deepEqual(generated, [{ name: 'settings', literals: ['BINNACLE_API_NAMES=cluster'] }]);
  for (const { metadata, spec } of deployments)
    for (const { envFrom } of spec.template.spec.containers)
      assert.deepEqual(envFrom, [{ configMapRef: { name: 'settings' } }], metadata.name);
});

test('the namespace enforces the restricted level, and every pod meets it', () => {
  const [namespace] = manifests.filter(({ kind }) => kind === 'Namespace');
  assert.equal(namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce'], 'restricted');
  for (const [name, { spec }] of templates) {
    assert.equal(spec.securityContext['runAsNonRoot'], true, name);
    assert.deepEqual(spec.securityContext['seccompProfile'], { type: 'RuntimeDefault' }, name);
    for (const { securityContext } of spec.containers) {
      assert.equal(securityContext['allowPrivilegeEscalation'], false, name);
      assert.deepEqual(securityContext['capabilities'], { drop: ['ALL'] }, name);
    }
  }
});

test('the topic has three replicas', () => {
  const [storage] = deployments.filter(({ metadata }) => metadata.name === 'storage');
  assert.ok(storage?.spec.template.spec.containers[0]?.args.includes('--kafka-replication-factor=3'));
});

const scripts = [...readme.matchAll(/^```sh .*\n([\s\S]*?)^```$/gm)].map(match => match[1] ?? '');

test('the commands of the README run in any POSIX shell', () => {
  assert.equal(scripts.length, 6);
  for (const shell of ['sh', 'dash']) {
    if (spawnSync(shell, ['-c', 'true']).error) continue;
    for (const script of scripts)
      execFileSync(shell, ['-n'], { input: script, stdio: ['pipe', 'pipe', 'pipe'] });
  }
  // These shells parse the words below and do not expand them.
  for (const script of scripts) assert.doesNotMatch(script, /\{\w[\w-]*,|\[\[|<\(|\bfunction\b/);
});

let work = '';
before(() => {
  work = mkdtempSync(join(tmpdir(), 'binnacle-manifests-'));
});
after(() => rmSync(work, { recursive: true }));

test('the commands create every secret that a pod mounts, with every file that its flags name', () => {
  for (const name of ['deploy', 'libs', 'proto', 'services', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(work, name));
  const kubectl = join(work, 'kubectl');
  writeFileSync(kubectl, '#!/bin/sh\necho "$@" >> kubectl.log\n');
  chmodSync(kubectl, 0o755);
  const script = scripts.find(each => each.includes('create-certificates')) ?? '';
  execFileSync('sh', ['-eu'], {
    cwd: work,
    input: script,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${work}:${process.env['PATH']}` },
  });
  const log = readFileSync(join(work, 'kubectl.log'), 'utf8');
  const folders = new Map(
    [...log.matchAll(/secret generic (\S+) --from-file (\S+)/g)].map(match => [match[1], match[2]]),
  );
  assert.ok(log.indexOf('namespace.yaml') < log.indexOf('secret generic'), 'secrets need their namespace');
  for (const [name, { spec }] of templates) {
    const secrets = new Map(spec.volumes.map(volume => [volume.name, volume.secret?.secretName]));
    const args = spec.containers.flatMap(container => container.args).join(' ');
    for (const { name: volume, mountPath } of spec.containers.flatMap(each => each.volumeMounts)) {
      const secret = secrets.get(volume);
      if (secret === undefined) continue;
      const folder = folders.get(secret);
      assert.ok(folder !== undefined, `${name} mounts ${secret}, which no step makes`);
      const files = globSync('*', { cwd: join(work, folder) });
      const used = [...args.matchAll(new RegExp(`${mountPath}/([\\w.-]+)`, 'g'))].map(
        match => match[1] ?? '',
      );
      for (const file of used) assert.ok(files.includes(file), `${secret} lacks ${file}`);
      if (args.includes(`--tls-dir=${mountPath}`))
        assert.deepEqual(files.sort(), ['ca.crt', 'tls.crt', 'tls.key'], secret);
    }
  }
  const described = [...readme.matchAll(/`(binnacle-[a-z-]+)`/g)].map(match => match[1]);
  for (const secret of folders.keys())
    assert.ok(described.includes(secret) || /-certificate$/.test(secret ?? ''), `${secret} is not described`);
  const certificate = execFileSync('openssl', [
    ...['x509', '-noout', '-ext', 'subjectAltName', '-in'],
    join(work, 'certificates/pki/server/tls.crt'),
  ]).toString();
  for (const name of ['gateway', 'gateway.binnacle.svc', 'gateway.binnacle.svc.cluster.local'])
    assert.match(certificate, new RegExp(`DNS:${name.replaceAll('.', '\\.')}(,|\\s)`));
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).error === undefined;

test('the manifests and their overlays are valid, and one overlay exposes the gateway', {
  skip: hasKubectl ? false : 'kubectl is not installed',
}, () => {
  const build = (folder: string) =>
    parseAllDocuments(execFileSync('kubectl', ['kustomize', join(root, folder)]).toString()).map(
      each =>
        each.toJS() as {
          kind: string;
          metadata: { name: string; namespace?: string };
          spec?: { type?: string };
        },
    );
  const findGateway = (objects: ReturnType<typeof build>) =>
    objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'gateway')?.spec?.type;
  assert.equal(findGateway(build('deploy/kubernetes')), undefined);
  assert.equal(findGateway(build('deploy/kubernetes-exposed')), 'LoadBalancer');
  for (const folder of ['backend-users', 'names-convert', 'backup', 'restore'])
    for (const { kind, metadata } of build(`deploy/kubernetes/${folder}`))
      assert.equal(metadata.namespace, 'binnacle', `${kind} ${metadata.name}`);
});

test('the configuration of Prometheus for a cluster gives pods the labels that the alerts use', () => {
  const file = join(root, 'deploy/prometheus/prometheus-kubernetes.yml');
  const text = readFileSync(file, 'utf8');
  assert.match(text, /job_name: binnacle\n/);
  for (const label of ['service', 'instance']) assert.match(text, new RegExp(`target_label: ${label}\\n`));
  // Debian's Prometheus is built without the discovery of clusters; all else is checked.
  const checked = join(work, 'prometheus.yml');
  writeFileSync(checked, text.replace(/kubernetes_sd_configs:[\s\S]*?(?=\n {4}\w)/, 'static_configs: []'));
  copyFileSync(join(root, 'deploy/prometheus/alerts.yml'), join(work, 'alerts.yml'));
  const promtool = spawnSync('promtool', ['check', 'config', checked], { encoding: 'utf8' });
  if (promtool.error === undefined) assert.equal(promtool.status, 0, promtool.stdout + promtool.stderr);
});
