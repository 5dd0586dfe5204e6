import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { buildImage } from './base-images.ts';
import type { Check, CheckContext } from './checks.ts';
import { defaultLimits, podman, tryPodman } from './podman.ts';

/** Statements about what operators start by hand: the profiles `tools` and `backup`. */
export const commandChecks: readonly Check[] = [
  { what: 'binnaclectl runs as a container', run: binnaclectlRuns },
  { what: 'names are not converted, and nothing is restored, while services run', run: storeInUseIsRefused },
  { what: 'the container of backups makes one, which is whole', run: backupIsMade },
  { what: 'a store that is lost is restored from its backup', run: storeIsRestored },
  { what: 'one process runs as a container, and is backed up in it', run: standaloneRuns },
];

const backups = '/var/backups/binnacle';
const maps = '/api/v1/namespaces/default/configmaps';

/** The services above the store, first those that are stopped first. */
const stopped = [
  'load-balancer',
  'gateway',
  'controller-manager',
  'admission',
  'webhook-dispatch',
  'token-review',
  'storage',
];

async function binnaclectlRuns({ composition }: CheckContext): Promise<string> {
  const { code, text } = await composition.runCommand('binnaclectl', ['get', 'namespaces', '-o', 'name']);
  assert.equal(code, 0, text);
  assert.match(text, /^namespace\/default$/m);
  return '';
}

async function storeInUseIsRefused({ composition }: CheckContext): Promise<string> {
  const { code, text } = await composition.runCommand('names-convert', ['--to=kubernetes']);
  assert.equal(code, 1, text);
  assert.match(text, /in use/);
  return text.trim();
}

/** Starts the container of backups, and returns the name of the first one when it is on the volume. */
async function makeBackup({ composition }: CheckContext): Promise<string> {
  const container = await composition.startByHand('backup');
  try {
    let file = '';
    await pollUntil(
      'the first backup',
      async () => {
        const { text } = await tryPodman(['logs', container]);
        file = /(binnacle-\S+\.backup) written/.exec(text)?.[1] ?? '';
        return file !== '';
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    );
    return file;
  } finally {
    await tryPodman(['rm', '--force', '--time', '10', container]);
  }
}

async function backupIsMade(context: CheckContext): Promise<string> {
  const file = await makeBackup(context);
  const { code, text } = await context.composition.runCommand(
    'restore',
    ['verify', `${backups}/${file}`],
    service => ({ ...service, entrypoint: ['node', 'clients/binnaclectl/main.ts', 'backup'] }),
  );
  assert.equal(code, 0, text);
  assert.match(text, /is whole/);
  return file;
}

async function storeIsRestored(context: CheckContext): Promise<string> {
  const { composition, adminConfiguration } = context;
  await using client = createApiClient({
    configuration: loadClientConfiguration(adminConfiguration),
    userAgent: 'verify',
  });
  await createMap(client, 'kept');
  const file = await makeBackup(context);
  await createMap(client, 'lost');
  await composition.stop(stopped);
  const members = Object.keys(context.file.services).filter(name => /^etcd(-\d)?$/.test(name));
  const users = Object.keys(context.file.services).filter(name => name.startsWith('backend-users'));
  await composition.recreate(
    members,
    members.map(name => name.replace('etcd', 'etcd-data')),
  );
  await composition.recreate(users, []);
  const { code, text } = await composition.runCommand('restore', [`${backups}/${file}`]);
  assert.equal(code, 0, text);
  const started = stopped.toReversed();
  await composition.start(started);
  await pollUntil('the map of before', () => isThere(client, 'kept'), { timeoutMs: 60_000, intervalMs: 500 });
  assert.equal(await isThere(client, 'lost'), false);
  await client.request({ method: 'DELETE', path: `${maps}/kept` });
  return text.trim().split('\n').at(-1) ?? '';
}

async function createMap(client: ApiClient, name: string): Promise<void> {
  await client.request({ method: 'POST', path: maps, body: { metadata: { name } } });
}

/** Whether the map is there; throws for any answer but yes and no. */
async function isThere(client: ApiClient, name: string): Promise<boolean> {
  try {
    await client.request({ method: 'GET', path: `${maps}/${name}` });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return false;
    throw error;
  }
}

/** The image of the standalone form, with the limits that the documents give it. */
async function standaloneRuns({ directory }: CheckContext): Promise<string> {
  const [image, name] = ['binnacle/standalone', 'binnacle-verify-standalone'];
  const file = join(directory, 'deploy/images/Dockerfile');
  await buildImage({ image, target: 'standalone', file, context: directory });
  await tryPodman(['rm', '--force', '--volumes', '--time', '1', name]);
  await podman([
    ...['run', '--detach', '--name', name, ...defaultLimits, '--read-only', '--tmpfs', '/tmp'],
    ...[
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges:true',
      '--memory',
      '1g',
      '--pids-limit',
      '128',
    ],
    ...['--init', '--volume', '/var/lib/binnacle', image],
  ]);
  try {
    const program = ['exec', name, 'node', 'clients/binnaclectl/main.ts'];
    const configuration = '--kubeconfig=/var/lib/binnacle/admin.conf';
    const asks = [...program, 'get', 'namespaces', '-o', 'name', configuration];
    await pollUntil(
      'the standalone form to answer',
      async () => (await tryPodman(asks)).output.includes('namespace/default'),
      { timeoutMs: 60_000, intervalMs: 1000 },
    );
    const folder = '/var/lib/binnacle/backups';
    await podman(['exec', name, 'mkdir', folder]);
    const made = await podman([
      ...[...program, 'backup', `--directory=${folder}`, '--keep=14', '--data-dir=/var/lib/binnacle'],
    ]);
    return made.split('\n')[0] ?? '';
  } finally {
    await tryPodman(['rm', '--force', '--volumes', '--time', '30', name]);
  }
}
