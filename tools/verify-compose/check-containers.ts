import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Check, CheckContext } from './checks.ts';
import { podman, tryPodman } from './podman.ts';

/** Statements about containers and images themselves. */
export const containerChecks: readonly Check[] = [
  { what: 'every container that stays is healthy', run: everyContainerIsHealthy },
  {
    what: 'containers are read-only, without capabilities, with limits, and not root',
    run: containersAreBounded,
  },
  { what: 'images have no dangling links', run: imagesAreWhole },
  { what: 'images and /version name the commit, its tree state and its date', run: sourcesAreNamed },
  {
    what: 'services read their bundles and what Node makes of them, and cannot write either',
    run: bundlesAreReadOnly,
  },
  { what: 'health checks start neither Node nor Java', run: healthChecksAreCheap },
];

async function everyContainerIsHealthy({ composition }: CheckContext): Promise<string> {
  await composition.allHealthy();
  const names = composition.services.flatMap(([name]) => composition.listContainers(name));
  return `${names.length} containers`;
}

interface Inspected {
  readonly Name: string;
  readonly State: { readonly Pid: number };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly Memory: number;
    readonly NanoCpus: number;
    readonly PidsLimit: number;
  };
}

async function containersAreBounded({ composition }: CheckContext): Promise<string> {
  const names = composition.services.flatMap(([name]) => composition.listContainers(name));
  const inspected = JSON.parse(await podman(['inspect', ...names])) as Inspected[]; // podman's own format.
  for (const { Name: name, HostConfig: host } of inspected) {
    assert.ok(host.ReadonlyRootfs, `${name} is writable`);
    assert.ok(host.Memory > 0 && host.NanoCpus > 0 && host.PidsLimit > 0, `${name} lacks a limit`);
  }
  const lines = ['CapEff:\\t0000000000000000', 'NoNewPrivs:\\t1', 'Uid:\\t[1-9]'];
  for (const { Name: name } of inspected.filter(({ State }) => State.Pid > 0)) {
    const status = await podman(['exec', name, 'cat', '/proc/self/status']);
    for (const line of lines) assert.match(status, new RegExp(line), name);
  }
  return '';
}

async function imagesAreWhole({ composition }: CheckContext): Promise<string> {
  const built = composition.services.filter(([, { build }]) => build !== undefined);
  const images = [...new Set(built.map(([, { image }]) => image))];
  for (const image of images)
    assert.deepEqual(await find(image, '/opt', '-xtype', 'l'), [], `${image} has dangling links`);
  return `${images.length} images`;
}

async function sourcesAreNamed({ composition, adminConfiguration }: CheckContext): Promise<string> {
  const built = composition.services.filter(([, { image }]) => /^binnacle\/(?!etcd$)/.test(image));
  const images = [...new Set(built.map(([, { image }]) => image))];
  const described = JSON.parse(await podman(['image', 'inspect', ...images])) as {
    Labels: Record<string, string>;
  }[]; // podman's own format.
  const labels = [
    'org.opencontainers.image.revision',
    'binnacle.git-tree-state',
    'org.opencontainers.image.created',
  ];
  const [first = [], ...others] = described.map(({ Labels }) => labels.map(label => Labels[label] ?? ''));
  for (const [index, other] of others.entries()) assert.deepEqual(other, first, images[index + 1]);
  assert.match(first.join(' '), /^[0-9a-f]{40} (?:clean|dirty) \d{4}-\d\d-\d\dT\S+Z$/);
  const configuration = loadClientConfiguration(adminConfiguration);
  await using client = createApiClient({ configuration, userAgent: 'verify' });
  const version = await client.request<Record<string, string>>({ method: 'GET', path: '/version' });
  assert.deepEqual([version['gitCommit'], version['gitTreeState'], version['buildDate']], first);
  return `${images.length} images, ${first.join(' ')}`;
}

async function bundlesAreReadOnly({ composition }: CheckContext): Promise<string> {
  const directory = '/opt/binnacle/dist';
  let files = 0;
  for (const [name, { build, image }] of composition.services) {
    if (build === undefined || !existsSync(join('services', build.target))) continue;
    const readable = await find(image, directory, '-type', 'f', '-size', '+0', '-readable');
    assert.ok(readable.length > 0, `${name} has no bundle`);
    const others = ['(', '-not', '-user', 'root', '-o', '-perm', '/022', '-o', '-not', '-readable', ')'];
    assert.deepEqual(await find(image, directory, ...others), [], `${name} can change it, or cannot read it`);
    files = Math.max(files, readable.length);
  }
  return `${files} files`;
}

/** Runs `find` in a container of that image, as its user, and answers its output. */
async function find(image: string, ...expression: readonly string[]): Promise<string[]> {
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=8192:8192', '--network', 'none'];
  const run = ['run', '--rm', '--no-healthcheck', ...limits, '--entrypoint', 'find', image, ...expression];
  const { code, text } = await tryPodman(run);
  assert.equal(code, 0, text);
  return text.split('\n').filter(line => line !== '');
}

async function healthChecksAreCheap({ composition }: CheckContext): Promise<string> {
  const slowest = { name: '', ms: 0 };
  for (const [name] of composition.services) {
    const test = await composition.readHealthCommand(name);
    assert.doesNotMatch(
      (test ?? []).join(' '),
      /\bnode\b|java|kafka-[a-z-]+\.sh\b(?<!health-check\.sh)/,
      name,
    );
    const [container = ''] = composition.listContainers(name);
    const startedAt = performance.now();
    if (test !== undefined) await composition.checkHealth(name, container);
    const ms = performance.now() - startedAt;
    if (ms > slowest.ms) Object.assign(slowest, { name, ms });
  }
  return `the slowest, with podman's own start, ${Math.round(slowest.ms)} ms (${slowest.name})`;
}
