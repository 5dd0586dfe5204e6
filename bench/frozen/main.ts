import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';
import { findFreePort, freezeProcess } from '@binnacle/backends';
import { createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { booleanFlag, integerFlag, listFlag, parseProgramFlags } from '@binnacle/flags';
import { pkiPaths } from '@binnacle/tls';
import { textTable } from '../report/text-table.ts';
import { startHooks } from '../stalls/hook-server.ts';
import { OpenLoad, type Sent } from './open-load.ts';
import { ServersLoad } from './servers-load.ts';
import { type Failures, shortfalls, summarizeWaits, type UnderWay, type Waits } from './waits.ts';

const flags = parseProgramFlags({
  seconds: integerFlag({ description: 'Seconds for which each process is frozen.', default: 40, min: 1 }),
  undisturbed: integerFlag({
    description: 'Seconds of load before each freeze, to compare with; 0: as many as it is frozen for.',
    default: 0,
    min: 0,
  }),
  rate: integerFlag({ description: 'Requests a second, through both gateways.', default: 100, min: 1 }),
  only: listFlag({ description: 'Names of the processes to freeze; by default all but etcd.' }),
  ha: booleanFlag({ description: 'Three members of etcd and three brokers of Kafka.' }),
  kill: booleanFlag({
    description: 'Processes are killed, and started again after those seconds, instead of frozen.',
  }),
});

const users = 40;
/** Seconds of load that a process has to come back in. */
const afterSeconds = 4;
const undisturbedSeconds = flags.undisturbed || flags.seconds;

const directory = await mkdtemp(join(tmpdir(), 'binnacle-frozen-'));
try {
  await main();
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** One row of the table. */
interface Frozen {
  readonly name: string;
  readonly role: string;
  readonly before: Waits;
  readonly during: Waits;
  /** The waits of a client that has both gateways as its servers, as controllers do. */
  readonly ofServers: Waits;
  /** The requests that waited longest, as lines. */
  readonly slowest: readonly string[];
}

/** Measures the waits and outcomes of requests while one process of the distributed form is frozen. */
async function main(): Promise<void> {
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
    ha: flags.ha,
    arguments: { 'webhook-dispatch': ['--allow-loopback-webhooks=true'] },
  });
  const ca = await readFile(pkiPaths(join(dataDirectory, 'pki')).caFile);
  await using load = new OpenLoad({ gateways: form.gateways, ca, tokens, perSecond: flags.rate });
  await load.fill();
  await register(form, { url: `${hooks.url}/allow`, caBundle: hooks.caBundle, ca, token: tokens[0] ?? '' });
  const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers: form.gateways };
  await using client = createApiClient({ configuration, userAgent: 'frozen' });
  const loads = { load, servers: new ServersLoad(client) };
  const all = [...form.processes.keys()].filter(name => !name.startsWith('etcd-')).sort();
  // The first seconds are not measured: the load starts slowly.
  await load.run(afterSeconds);
  const rows: Frozen[] = [];
  for (const name of flags.only.length > 0 ? flags.only : all) {
    const row = await freeze(form, loads, name);
    rows.push(row);
    console.error(cellsFromRow(row).join('  '));
    for (const line of row.slowest) console.error(`    ${line}`);
  }
  print(rows);
}

interface Loads {
  readonly load: OpenLoad;
  readonly servers: ServersLoad;
}

async function freeze(form: Distributed, { load, servers }: Loads, name: string): Promise<Frozen> {
  const managed = form.process(name);
  const { pid } = managed;
  if (pid === undefined) throw new Error(`${name} does not run`);
  const role = await readRole(form, name);
  // A balancer moves the clients of a frozen gateway: the load goes to the other one.
  const gateways = form.gateways.filter((_, index) => name !== `gateway-${index + 1}`);
  const seconds = undisturbedSeconds + flags.seconds + afterSeconds;
  const running = Promise.all([load.run(seconds, gateways), servers.run(seconds)]);
  await pause(undisturbedSeconds * 1000);
  const frozenAt = performance.now();
  if (flags.kill) await managed.kill();
  else await freezeProcess(pid);
  try {
    await pause(flags.seconds * 1000);
  } finally {
    if (flags.kill) await managed.restart();
    else process.kill(pid, 'SIGCONT');
  }
  const thawedAt = performance.now();
  const [sent, ofServers] = await running;
  const during = ({ dueAt }: Sent) => dueAt > frozenAt - 1000 && dueAt < thawedAt + 1000;
  const row: Frozen = {
    name,
    role,
    before: summarizeWaits(
      sent.filter(({ dueAt }) => dueAt <= frozenAt - 1000),
      frozenAt,
    ),
    during: summarizeWaits(sent.filter(during), frozenAt),
    ofServers: summarizeWaits(ofServers.filter(during), frozenAt),
    slowest: [...sent.filter(during), ...ofServers.filter(during)]
      .sort((a, b) => b.tookMs - a.tookMs)
      .slice(0, 12)
      .map(
        ({ verb, outcome, tookMs, dueAt }) =>
          `${verb} ${outcome} took ${tookMs.toFixed(0)} ms, due ${((dueAt - frozenAt) / 1000).toFixed(2)} s after the freeze`,
      ),
  };
  await form.waitUntilReady();
  return row;
}

/** Whether a process leads the others of its service, by its metrics. */
async function readRole(form: Distributed, name: string): Promise<string> {
  const roles: Record<string, readonly [metric: RegExp, yes: string, no: string]> = {
    storage: [/^binnacle_storage_leader 1$/m, 'publishes', 'does not publish'],
    'controller-manager': [/^leader_election_master_status\{.*\} 1$/m, 'leads', 'does not lead'],
  };
  const [metric, yes, no] = roles[name.replace(/-\d+$/, '')] ?? [];
  if (metric === undefined || yes === undefined || no === undefined) return '';
  const answer = await fetch(`http://127.0.0.1:${form.operationsPort(name)}/metrics`);
  return metric.test(await answer.text()) ? yes : no;
}

function print(rows: readonly Frozen[]): void {
  console.log(
    `Each process ${flags.kill ? 'killed' : 'frozen'} for ${flags.seconds} s, ${flags.rate} requests/s, open loop; waits in ms; failures: all, and those due later than a second after the freeze`,
  );
  const head = ['frozen', '', 'requests', 'p99.9 before', 'p99.9', 'longest', '409', '504', 'other'];
  const table = [[...head, 'longest of a client of both gateways', 'holds'], ...rows.map(cellsFromRow)];
  for (const line of textTable(table)) console.log(line);
  process.exitCode = rows.every(row => missedBy(row).length === 0) ? 0 : 1;
}

function cellsFromRow(row: Frozen): string[] {
  const { name, role, before, during, ofServers } = row;
  const failuresText = ({ all, late }: Failures) => (all === 0 ? '0' : `${all}, ${late}`);
  const others = [...during.others].map(([outcome, failures]) => `${outcome} × ${failuresText(failures)}`);
  return [
    name,
    role,
    String(during.requests),
    before.p999Ms.toFixed(0),
    during.p999Ms.toFixed(0),
    during.longestMs.toFixed(0),
    failuresText(during.conflicts),
    failuresText(during.timeouts),
    others.join(', ') || '0',
    ofServers.longestMs.toFixed(0),
    missedBy(row).join(', ') || 'yes',
  ];
}

function missedBy({ name, during, ofServers }: Frozen): readonly string[] {
  const service = name.replace(/-\d+$/, '');
  const atStore: UnderWay = service === 'storage' ? 'store' : 'nowhere';
  return [
    ...shortfalls(during, atStore),
    // With so few requests each one is in the 99.9th percentile. The frozen gateway had some of them.
    ...shortfalls({ ...ofServers, p999Ms: 0 }, service === 'gateway' ? 'gateway' : atStore).map(
      what => `client of both: ${what}`,
    ),
  ];
}

interface Registration {
  readonly url: string;
  readonly caBundle: string;
  readonly ca: Buffer;
  readonly token: string;
}

/** Registers a webhook that reviews each creation. */
async function register(form: Distributed, { url, caBundle, ca, token }: Registration): Promise<void> {
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
