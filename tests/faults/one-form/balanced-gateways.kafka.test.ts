import assert from 'node:assert/strict';
import { getPriority, setPriority } from 'node:os';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ManagedProcess, pollUntil } from '@binnacle/backends';
import {
  type ApiClient,
  type ClientConfiguration,
  createApiClient,
  loadClientConfiguration,
} from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { type GoWatches, type GoWatchReport, startGoWatches } from '../go-watches.ts';
import { createPlainWatches, type WatchClient } from '../plain-watches.ts';
import { type ResumingWatch, startResumingWatch } from '../resuming-watch.ts';
import { createAccounts, itemAt, type SteadyWrites, startWrites } from '../steady-writes.ts';
import { sharedForm } from './shared-form.ts';

const perSecond = Number(process.env['BINNACLE_WRITES_PER_SECOND'] || 50);
const watchCount = Number(process.env['BINNACLE_WATCHES'] || 20);
/** So many more are those of a program in Go, on connections of their own: their clients take less of the processor. */
const goWatchCount = Number(process.env['BINNACLE_GO_WATCHES'] || 0);
const goProtocol = process.env['BINNACLE_GO_PROTOCOL'] === 'http2' ? 'http2' : 'http1';
/**
 * With them, clients are so much nicer than servers: they stand for other machines, and two processors are what all of them share.
 * To start a gateway again at the servers' priority, root is needed.
 */
const clientNiceness = goWatchCount > 0 ? 10 : 0;
const serverNiceness = getPriority();
/** Each watch sees one of so many parts of the writes. */
const collectionCount = Math.max(10, Math.ceil((watchCount + goWatchCount) / 5));
/** So many watches share a connection of HTTP/2, as in a Go program; the others have one of HTTP/1.1 each. */
const multiplexedCount = Number(process.env['BINNACLE_MULTIPLEXED_WATCHES'] || watchCount / 2);
/** Watches of one such program. */
const watchesPerConnection = 20;
/** Between a gateway that is ready again and the next end. */
const pauseSeconds = Number(process.env['BINNACLE_PAUSE_SECONDS'] || 2);
const rounds = Number(process.env['BINNACLE_ROUNDS'] || 2);

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let form: Distributed;
let admin: ApiClient;
/** As pods have them: what most clients of a control plane show is the token of a service account. */
let accounts: readonly ClientConfiguration[] = [];
let clients: readonly ApiClient[] = [];

before(async () => {
  directory = await createTemporaryDirectory();
  ({ form } = await sharedForm());
  if (form.balancer === undefined) return;
  admin = openAdmin();
  accounts = await createAccounts(form, [form.balancer]);
  clients = accounts.map(open);
  if (clientNiceness > 0) setPriority(serverNiceness + clientNiceness);
});

function balancedConfiguration(): ClientConfiguration {
  const servers = form.balancer === undefined ? [] : [form.balancer];
  return { ...loadClientConfiguration(form.adminConfiguration), servers };
}

const open = (configuration: ClientConfiguration) => createApiClient({ configuration, userAgent: 'faults' });
/** A client of the administrator behind the load balancer. */
const openAdmin = () => open(balancedConfiguration());

/** The clients of the watches, one for each. */
function watchClients(use: AsyncDisposableStack): WatchClient[] {
  const account = (index: number) => accounts[index % accounts.length] ?? balancedConfiguration();
  const programs = Array.from({ length: Math.ceil(multiplexedCount / watchesPerConnection) }, (_, index) =>
    use.use(open(account(index))),
  );
  const plain = accounts.map(each => createPlainWatches(each, admin));
  return Array.from({ length: watchCount }, (_, index) => {
    const among = index < multiplexedCount ? programs : plain;
    return among[index % among.length] ?? admin;
  });
}

after(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await admin?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

/** Collections of secrets in namespaces of their own: what a watch costs must not be what the writes cost. */
async function createCollections(prefix: string): Promise<string[]> {
  const path = '/api/v1/namespaces';
  const names = Array.from({ length: collectionCount }, (_, index) => `gateways-${prefix}-${index}`);
  for (const name of names) await admin.request({ method: 'POST', path, body: { metadata: { name } } });
  return names.map(name => `${path}/${name}/secrets`);
}

async function writeMore(writes: SteadyWrites, count: number): Promise<void> {
  const end = writes.begun + count;
  while (writes.begun < end) await sleep(10);
}

/** A process has the priority of the one that starts it. */
async function restart(gateway: ManagedProcess): Promise<void> {
  if (clientNiceness > 0) setPriority(serverNiceness);
  await gateway.restart();
  if (clientNiceness > 0) setPriority(serverNiceness + clientNiceness);
}

/** Ends each gateway in turn, several times, while writes and watches go on behind the load balancer. */
async function endGateways(end: 'stop' | 'kill', writes: SteadyWrites): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const name of ['gateway-1', 'gateway-2']) {
      const gateway = form.process(name);
      await gateway[end]();
      await writeMore(writes, perSecond);
      await restart(gateway);
      await form.waitUntilReady();
      // The load balancer takes a gateway back after its next check.
      await writeMore(writes, pauseSeconds * perSecond);
    }
  }
}

function formatGaps(what: string, gapsMs: readonly number[]): string {
  const gaps = gapsMs.toSorted((a, b) => a - b);
  const late = gaps.filter(gap => gap > 1000).length;
  const at = (part: number) => Math.round(gaps[Math.floor(part * (gaps.length - 1))] ?? 0);
  return (
    `${gaps.length} watches ended, ${what} within ${at(0.5)} ms (half), ${at(0.99)} ms (99%), ${at(1)} ms (all), ` +
    `${late} after more than a second`
  );
}

/** The watches of the program in Go; undefined when there are to be none. */
async function openGoWatches(collections: readonly string[]): Promise<GoWatches | undefined> {
  const [configuration] = accounts;
  if (goWatchCount === 0 || configuration === undefined) return undefined;
  return startGoWatches({
    configuration,
    protocol: goProtocol,
    collections: Array.from({ length: goWatchCount }, (_, index) => itemAt(collections, index)),
    directory: directory.path,
  });
}

/** The reports of those watches, once they are complete. */
async function createReport(
  program: GoWatches,
  expected: readonly (readonly string[])[],
): Promise<GoWatchReport> {
  let report = await program.report();
  const isWhole = () => report.seen.every((seen, index) => seen.length >= itemAt(expected, index).length);
  await pollUntil('watches in Go to see every write', async () => {
    report = await program.report();
    return isWhole();
  }).catch(() => {});
  return report;
}

for (const [end, what] of [
  ['stop', 'graceful ends'],
  ['kill', 'kill -9'],
] as const) {
  test(`${what} of gateways behind the load balancer fail no write, and watches miss nothing`, async context => {
    if (form.balancer === undefined) return context.skip('haproxy is not installed');
    const collections = await createCollections(end);
    await using use = new AsyncDisposableStack();
    const watches = await Promise.all(
      watchClients(use).map((client, index) =>
        startResumingWatch(client, collections[index % collections.length]!),
      ),
    );
    const program = await openGoWatches(collections);
    if (program !== undefined) use.use(program);
    const startedAt = performance.now();
    const writes = startWrites({ clients, perSecond, collections, openForRetry: openAdmin });
    await endGateways(end, writes);
    const outcomes = await writes.stop();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const createdIn = collections.map((_, index) =>
      writes.created.filter(name => Number(name.split('-')[1]) % collections.length === index).toSorted(),
    );
    const expectedBy = (watch: ResumingWatch) => itemAt(createdIn, watches.indexOf(watch));
    const isComplete = (watch: ResumingWatch) => watch.seen.length >= expectedBy(watch).length;
    await pollUntil('watches to see every write', () => watches.every(isComplete)).catch(() => {});
    for (const watch of watches) await watch.stop();
    const counts = `${writes.begun} writes in ${seconds} s, ${writes.retried} sent twice`;
    context.diagnostic(`${counts}: ${JSON.stringify(outcomes)}`);
    context.diagnostic(
      formatGaps(
        'next message',
        watches.flatMap(({ gapsMs }) => gapsMs),
      ),
    );
    const report = program && (await createReport(program, createdIn));
    if (report)
      context.diagnostic(
        `in Go: ${formatGaps('answered again', report.gapsMs)}; ${JSON.stringify(report.failures)}`,
      );
    assert.deepEqual(outcomes, { 201: writes.begun });
    assert.ok(watches.every(({ gapsMs }) => gapsMs.length > 0) || end === 'kill');
    for (const watch of watches) {
      assert.deepEqual(watch.failures, []);
      assert.deepEqual(watch.seen.toSorted(), expectedBy(watch), 'each watch sees each write once');
    }
    for (const [index, seen] of report?.seen.entries() ?? [])
      assert.deepEqual(seen.toSorted(), itemAt(createdIn, index), 'each watch in Go sees each write once');
    assert.deepEqual(report?.failures ?? {}, {});
  });
}
