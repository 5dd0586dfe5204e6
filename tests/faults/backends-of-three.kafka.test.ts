import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject } from '@binnacle/api-objects';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { findEtcdLeader } from './injections/etcd-leader.ts';
import { combineInjections, createInjection, type Injection } from './injections/injection.ts';
import { freeze, freezeInRhythm, kill } from './injections/processes.ts';
import { createSmallDisk, type SmallDisk, smallDisksMissing } from './injections/small-disk.ts';
import { startResumingWatch } from './resuming-watch.ts';
import { startWrites } from './steady-writes.ts';

/**
 * The faults of one member, or of most of them, while clients write and watch. `make test` takes those that stand first;
 * `BINNACLE_FAULTS=all npm test -- tests/faults/backends-of-three.kafka.test.ts` takes all, in some minutes.
 */
const withAll = process.env['BINNACLE_FAULTS'] === 'all';
const onlyWithAll = withAll ? false : 'only with BINNACLE_FAULTS=all';
const noSmallDisk = onlyWithAll || (smallDisksMissing() ?? false);
const perSecond = 40;

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let dataDirectory: string;
let smallDisk: SmallDisk | undefined;
let form: Distributed;
let clients: ApiClient[] = [];

before(async () => {
  directory = await createTemporaryDirectory();
  dataDirectory = join(directory.path, 'data');
  if (noSmallDisk === false) smallDisk = createSmallDisk(join(dataDirectory, 'etcd-3'), 400 * 1024 * 1024);
  form = await startDistributed({
    dataDirectory,
    port: await findFreePort(),
    ha: true,
    links: true,
    // A window that a broker can be away for longer than.
    ...(withAll
      ? { arguments: { storage: ['--history-window=30s'], gateway: ['--history-window=30s'] } }
      : {}),
  });
  const configuration = loadClientConfiguration(form.adminConfiguration);
  clients = form.gateways.map(server =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'faults' }),
  );
});

after(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await form?.[Symbol.asyncDispose]();
  await smallDisk?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

interface FaultOptions {
  readonly begin: () => Promise<Injection>;
  /** Milliseconds for which it goes on. */
  readonly lastsMs: number;
  /** Whether writes are acknowledged while it lasts. */
  readonly isSurvived: boolean;
}

/** Writes through both gateways and watches through one while a fault comes and goes, and checks what there is afterwards. */
async function duringFault(context: TestContext, name: string, fault: FaultOptions): Promise<void> {
  const [admin, watcher] = clients;
  assert.ok(admin && watcher);
  await admin.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  const collection = `/api/v1/namespaces/${name}/secrets`;
  const watch = await startResumingWatch(watcher, collection);
  const writes = startWrites({ clients, perSecond, collections: [collection] });
  const acknowledged = (count: number) =>
    pollUntil(`${count} writes`, () => writes.created.length >= count, { timeoutMs: 120_000 });
  await acknowledged(perSecond);

  const injection = await fault.begin();
  const began = performance.now();
  try {
    if (fault.isSurvived) {
      await acknowledged(writes.created.length + perSecond);
      context.diagnostic(`${perSecond} writes after ${Math.round(performance.now() - began)} ms`);
    }
    await sleep(Math.max(0, fault.lastsMs - (performance.now() - began)));
  } finally {
    await injection.end();
  }
  const ended = performance.now();
  await acknowledged(writes.created.length + perSecond);
  context.diagnostic(`after its end: ${perSecond} writes in ${Math.round(performance.now() - ended)} ms`);
  const outcomes = await writes.stop();
  context.diagnostic(`${writes.begun} writes: ${JSON.stringify(outcomes)}`);

  const items = await listed(admin, collection);
  const stored = new Set(items);
  assert.deepEqual(
    writes.created.filter(each => !stored.has(each)),
    [],
    'every acknowledged write is there',
  );
  await pollUntil('the watch to have everything', () => watch.seen.length >= items.length, {
    timeoutMs: 120_000,
  });
  await watch.stop();
  assert.deepEqual(watch.seen, items, 'the watch has every object once, in the order of the store');
  assert.deepEqual(watch.failures, []);
  await form.waitUntilReady();
}

/** The names of a collection, in the order in which they were stored. */
async function listed(client: ApiClient, path: string): Promise<string[]> {
  let items: ApiObject[] = [];
  await pollUntil('a list', async () => {
    ({ items } = await client.request<{ items: ApiObject[] }>({ method: 'GET', path }));
    return true;
  });
  const readVersion = ({ metadata }: ApiObject) => Number(metadata.resourceVersion);
  return items.toSorted((a, b) => readVersion(a) - readVersion(b)).map(({ metadata }) => metadata.name ?? '');
}

test('the leader of etcd is killed', async context => {
  const begin = async () => kill((await findEtcdLeader(form, dataDirectory)).leader);
  await duringFault(context, 'leader-killed', { begin, lastsMs: 3000, isSurvived: true });
});

test('the leader of etcd is cut off from the others, and answers clients', async context => {
  const begin = async () => {
    const { leader } = await findEtcdLeader(form, dataDirectory);
    form.divide([leader.name]);
    return createInjection(`cut off ${leader.name}`, () => form.divide());
  };
  await duringFault(context, 'leader-cut-off', { begin, lastsMs: 5000, isSurvived: true });
});

test('two members of etcd stand still: nothing is written until one is back', async context => {
  const begin = async () => {
    const { leader, others } = await findEtcdLeader(form, dataDirectory);
    const [other] = others;
    assert.ok(other);
    return combineInjections([await freeze(leader), await freeze(other)]);
  };
  await duringFault(context, 'majority-frozen', { begin, lastsMs: 5000, isSurvived: false });
});

test('a broker of Kafka is killed', async context => {
  const begin = () => kill(form.process('kafka-1'));
  await duringFault(context, 'broker-killed', { begin, lastsMs: 3000, isSurvived: true });
});

test('a follower of etcd stands still, then another is cut off', { skip: onlyWithAll }, async context => {
  const { others } = await findEtcdLeader(form, dataDirectory);
  const [first, second] = others;
  assert.ok(first && second);
  await duringFault(context, 'follower-frozen', {
    begin: () => freeze(first),
    lastsMs: 10_000,
    isSurvived: true,
  });
  const cutOff = async () => {
    form.divide([second.name]);
    return createInjection(`cut off ${second.name}`, () => form.divide());
  };
  await duringFault(context, 'follower-cut-off', { begin: cutOff, lastsMs: 10_000, isSurvived: true });
});

test('the members of etcd are all cut off from each other', { skip: onlyWithAll }, async context => {
  const begin = async () => {
    form.divide(['etcd-1'], ['etcd-2'], ['etcd-3']);
    return createInjection('cut off all members', () => form.divide());
  };
  await duringFault(context, 'all-cut-off', { begin, lastsMs: 10_000, isSurvived: false });
});

test('the leader of etcd has a slow disk', { skip: onlyWithAll }, async context => {
  const begin = async () => {
    const { leader } = await findEtcdLeader(form, dataDirectory);
    return freezeInRhythm(leader, { frozenMs: 400, runningMs: 100 });
  };
  await duringFault(context, 'slow-disk', { begin, lastsMs: 15_000, isSurvived: true });
});

test('the disk of a member of etcd is full', { skip: noSmallDisk }, async context => {
  const member = form.process('etcd-3');
  const begin = async () => {
    const full = smallDisk?.fill();
    assert.ok(full);
    return createInjection(full.what, async () => {
      assert.equal(member.running, false, 'a member whose disk is full ends');
      await full.end();
      // It ends itself when it cannot write; an operator starts it again.
      await member.restart();
    });
  };
  await duringFault(context, 'disk-full', { begin, lastsMs: 15_000, isSurvived: true });
});

for (const name of ['kafka-1', 'kafka-2', 'kafka-3']) {
  test(`${name} stands still`, { skip: onlyWithAll }, async context => {
    const begin = () => freeze(form.process(name));
    await duringFault(context, `${name}-frozen`, { begin, lastsMs: 15_000, isSurvived: true });
  });
}

test('two brokers of Kafka are stopped for longer than the history window', {
  skip: onlyWithAll,
}, async context => {
  const names = ['kafka-2', 'kafka-3'];
  const begin = async () => {
    const killed = await Promise.all(names.map(name => kill(form.process(name))));
    return createInjection(combineInjections(killed).what, async () => {
      assert.equal(await followsStorage('gateway-1'), true, 'gateways follow storage meanwhile');
      // A broker alone is not ready: those that were killed together are started together.
      await Promise.all(killed.map(each => each.end()));
    });
  };
  await duringFault(context, 'brokers-away', {
    begin,
    lastsMs: 45_000,
    isSurvived: true,
  });
});

/** Whether a gateway follows changes of storage directly. */
async function followsStorage(name: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${form.operationsPort(name)}/metrics`);
  return /^binnacle_change_feed_direct 1$/m.test(await answer.text());
}
