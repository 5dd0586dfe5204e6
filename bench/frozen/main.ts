import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';
import { findFreePort } from '@binnacle/backends';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { integerFlag, listFlag, parseProgramFlags, pkiPaths } from '@binnacle/service-kit';
import { startHooks } from '../stalls/hook-server.ts';
import { OpenLoad, type Sent } from './open-load.ts';

const flags = parseProgramFlags({
  seconds: integerFlag({ description: 'Seconds for which each process is frozen.', default: 20, min: 1 }),
  rate: integerFlag({ description: 'Requests a second, through both gateways.', default: 100, min: 1 }),
  only: listFlag({
    description: 'Names of the processes to freeze; by default one of each kind, and both of storage.',
  }),
});

const users = 40;
const targets = [
  'admission-1',
  'storage-1',
  'storage-2',
  'token-review-1',
  'webhook-dispatch-1',
  'gateway-1',
  'controller-manager-1',
];
/** Seconds of load before a process is frozen, and after it goes on. */
const around = 4;

const directory = await mkdtemp(join(tmpdir(), 'binnacle-frozen-'));
try {
  await main(flags.only.length > 0 ? flags.only : targets);
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** How long requests wait, and how they end, while one process of the distributed form stands still. */
async function main(names: readonly string[]): Promise<void> {
  const tokens = Array.from({ length: users }, () => randomBytes(16).toString('hex'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  const lines = tokens.map((token, index) => `${token},user-${index},user-${index},system:masters\n`);
  await writeFile(tokenAuthFile, lines.join(''), { mode: 0o600 });
  await using hooks = await startHooks(join(directory, 'hooks'));
  const dataDirectory = join(directory, 'form');
  await using form = await startDistributed({
    dataDirectory,
    port: await findFreePort(),
    tokenAuthFile,
    arguments: { 'webhook-dispatch': ['--allow-loopback-webhooks=true'] },
  });
  const ca = await readFile(pkiPaths(join(dataDirectory, 'pki')).caFile);
  await using load = new OpenLoad({ gateways: form.gateways, ca, tokens, perSecond: flags.rate });
  await load.fill();
  await register(form, { url: `${hooks.url}/allow`, caBundle: hooks.caBundle, ca, token: tokens[0] ?? '' });
  console.log('undisturbed'.padEnd(22), summaryOf(await load.run(2 * around)));
  for (const name of names) await freeze(form, load, name);
}

async function freeze(form: Distributed, load: OpenLoad, name: string): Promise<void> {
  const { pid } = form.process(name);
  if (pid === undefined) throw new Error(`${name} does not run`);
  // Clients of a gateway that stands still are the balancer's to lead elsewhere: the load goes to the other one.
  const gateways = form.gateways.filter((_, index) => name !== `gateway-${index + 1}`);
  const running = load.run(around + flags.seconds + around, gateways);
  const startedAt = performance.now();
  await pause(around * 1000);
  process.kill(pid, 'SIGSTOP');
  const frozenAt = performance.now();
  try {
    await pause(flags.seconds * 1000 - 500);
    console.log(`${name}: controllers ${await readiness(form, 'controller-manager-1')}`);
    await pause(500);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const thawedAt = performance.now();
  const sent = await running;
  const during = sent.filter(({ dueAt }) => dueAt > frozenAt - 1000 && dueAt < thawedAt + 1000);
  console.log(name.padEnd(22), summaryOf(during), failuresOf(during, frozenAt));
  await pause(Math.max(0, 2_000 - (performance.now() - startedAt)));
  await form.waitUntilReady();
}

async function readiness(form: Distributed, name: string): Promise<string> {
  try {
    const url = `http://127.0.0.1:${form.operationsPort(name)}/readyz`;
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok ? 'ready' : 'not ready';
  } catch {
    return 'silent';
  }
}

function summaryOf(sent: readonly Sent[]): string {
  const waits = sent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const at = (share: number) =>
    (waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0).toFixed(0);
  const codes = Object.entries(Object.groupBy(sent, ({ outcome }) => outcome))
    .map(([code, each]) => `${code} × ${each?.length ?? 0}`)
    .join(', ');
  return `${sent.length} requests: p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)} ms; ${codes}`;
}

/** Which requests failed, and when they were due after the freeze. */
function failuresOf(sent: readonly Sent[], frozenAt: number): string {
  const failed = sent.filter(({ outcome }) => !outcome.startsWith('2'));
  const groups = Object.groupBy(failed, ({ verb, outcome }) => `${verb} ${outcome}`);
  return Object.entries(groups)
    .map(([what, each = []]) => {
      const dues = each.map(({ dueAt }) => (dueAt - frozenAt) / 1000);
      return `\n    ${what} × ${each.length}, due ${Math.min(...dues).toFixed(2)} to ${Math.max(...dues).toFixed(2)} s after the freeze`;
    })
    .join('');
}

interface Registration {
  readonly url: string;
  readonly caBundle: string;
  readonly ca: Buffer;
  readonly token: string;
}

/** Has a webhook asked about each creation. */
async function register(form: Distributed, { url, caBundle, ca, token }: Registration): Promise<void> {
  const { request } = await import('node:https');
  const body = JSON.stringify({
    metadata: { name: 'asked' },
    webhooks: [
      {
        name: 'allow.frozen.test',
        clientConfig: { url, caBundle },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  const path = `/apis/${groups.admissionregistration}/v1/validatingwebhookconfigurations`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const code = await new Promise<number>((resolve, reject) => {
    request(`${form.gateways[0]}${path}`, { method: 'POST', ca, headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
  if (code !== 201) throw new Error(`the webhook configuration is answered with ${code}`);
}
