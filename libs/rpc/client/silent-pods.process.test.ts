import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { GetResponse, StorageService } from '@binnacle/proto';
import { implementService } from '../protocol/service-implementation.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import { callFor, TestService, testContract, until } from '../test-drivers/rpc-tests.ts';
import { connectRpc, type RpcClientOptions } from './connect-rpc.ts';
import type { Unanswered } from './overdue-calls.ts';

const opened: AsyncDisposable[] = [];
after(async () => {
  for (const resource of opened.reverse()) await resource[Symbol.asyncDispose]();
});

/** A pod in a separate process. */
interface FreezablePod {
  readonly process: ChildProcess;
  /** Keys of the calls that the pod has received. */
  readonly keys: readonly string[];
}

type TestOptions = Pick<RpcClientOptions<StorageService>, 'repeatable' | 'hedged' | 'recover'>;

/** Starts a first pod that can be frozen, a second pod, and a client that is connected to both. */
async function twoPods(options: TestOptions) {
  const driver = fileURLToPath(new URL('../test-drivers/fault-server.ts', import.meta.url));
  const child = fork(driver, [], { stdio: 'inherit' });
  opened.push({
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
    },
  });
  const keys: string[] = [];
  child.on('message', (message: { readonly key?: string }) => {
    if (message.key !== undefined) keys.push(message.key);
  });
  const [port] = (await once(child, 'message')) as [number];
  const second: string[] = [];
  const service = new TestService(key => second.push(key));
  const services = [implementService(testContract, service)];
  const other = await startRpcServer({ insecure: true, services, host: '127.0.0.2', port: 0 });
  const addresses = [`127.0.0.1:${port}`, `127.0.0.2:${other.port}`];
  const client = connectRpc(testContract, { insecure: true, addresses, ...options });
  opened.push(other, client);
  const call = callFor(60_000);
  opened.push({ [Symbol.asyncDispose]: async () => call[Symbol.dispose]() });
  while (service.calls.length === 0 || keys.length === 0)
    await Promise.all(Array.from({ length: 100 }, () => client.get({ key: 'a' }, call)));
  // Wait until the first pod has room.
  await until(() => {
    client.get({ key: 'first' }, call).catch(() => {});
    return keys.includes('first');
  }, 'a call to the first pod');
  const first: FreezablePod = { process: child, keys };
  return { first, second: { keys: second }, service, client, call };
}

for (const method of ['get', 'list'] as const)
  test(`${method}: calls at a frozen pod are answered by another one, and new calls go there`, async () => {
    const { first, service, client, call } = await twoPods({ repeatable: ['get', 'list'] });
    const send = (key: string) =>
      method === 'get' ? client.get({ key }, call) : client.list(createList(key), call);
    await freeze(first);
    const seen = service.calls.length;
    await Promise.all(Array.from({ length: 30 }, () => send('waiting')));
    assert.ok(service.calls.length - seen >= 30, 'the other pod answered them');
    for (let count = 0; count < 20; count++) await send('while frozen');
    first.process.kill('SIGCONT');
    await until(() => {
      send('after').catch(() => {});
      return first.keys.includes('after');
    }, 'calls to the pod that goes on');
    assert.ok(!first.keys.includes('while frozen'), 'none of them was sent to the frozen pod');
  });

test('a slow call at a responsive pod is not repeated', async () => {
  const { first, second, client, call } = await twoPods({ repeatable: ['get', 'list'] });
  const ended = new AbortController();
  using long = callFor(60_000, ended.signal);
  const slow = [client.get({ key: 'hang' }, long), client.list(createList('hang'), long)];
  for (const each of slow) each.catch(() => {});
  await until(() => hanging(first) === 2, 'the calls');
  // Longer than a call waits before it is sent to a second pod.
  await sleep(2_000);
  await client.get({ key: 'b' }, call);
  await until(() => first.keys.includes('b'), 'a new call there');
  assert.equal(hanging(second), 0);
  ended.abort();
});

test('a late hedged call is sent to a second pod, and the first answer ends the other call', async () => {
  const { first, second, service, client } = await twoPods({ repeatable: ['get'], hedged: ['get'] });
  const ended = new AbortController();
  using long = callFor(60_000, ended.signal);
  client.get({ key: 'hang' }, long).catch(() => {});
  await until(() => hanging(second) === 1, 'the second call');
  assert.equal(hanging(first), 1);
  const aborted = service.aborted;
  ended.abort();
  await until(() => service.aborted > aborted, 'the end of the second call');
});

test('hedging does not double the calls of pods that are all slow', async () => {
  const { first, second, client } = await twoPods({ repeatable: ['get'], hedged: ['get'] });
  const ended = new AbortController();
  using long = callFor(60_000, ended.signal);
  const count = 600;
  for (let each = 0; each < count; each++) client.get({ key: 'hang' }, long).catch(() => {});
  const made = () => hanging(first) + hanging(second);
  await until(() => made() > count, 'calls that are repeated');
  await sleep(1_000);
  assert.ok(made() <= count * 1.1 + 64, `${made()} calls`);
  ended.abort();
});

test('a call that cannot be repeated is left to its recovery, which may return the first answer', async () => {
  let unanswered: Unanswered<unknown, unknown> | undefined;
  const answer: GetResponse = { revision: 42 };
  const { first, service, client, call } = await twoPods({
    recover: {
      async get(given) {
        unanswered = given;
        return given.request.key === 'found' ? answer : await given.original;
      },
    },
  });
  await freeze(first);
  const seen = service.calls.length;
  const [found, waited] = [client.get({ key: 'found' }, call), client.get({ key: 'waited' }, call)];
  assert.deepEqual(await found, answer);
  assert.equal(unanswered?.isHeard(), false);
  assert.equal(service.calls.length, seen, 'it was sent to no other pod');
  first.process.kill('SIGCONT');
  assert.equal((await waited).record?.key, 'waited');
});

test('a call that cannot be repeated is left to its recovery when its pod is lost', async () => {
  const { first, second, client } = await twoPods({
    recover: { get: ({ call, resend }) => resend(call) },
  });
  const ended = new AbortController();
  using call = callFor(60_000, ended.signal);
  const waiting = client.get({ key: 'hang' }, call);
  waiting.catch(() => {});
  await until(() => first.keys.includes('hang'), 'the call');
  first.process.kill('SIGKILL');
  await until(() => hanging(second) === 1, 'the call at the other pod');
  ended.abort();
});

/** Resolves when the pod stands still: on a busy machine it goes on for a while after the signal. */
async function freeze({ process }: FreezablePod): Promise<void> {
  process.kill('SIGSTOP');
  await until(
    () => /^State:\s+T/m.test(readFileSync(`/proc/${process.pid}/status`, 'utf8')),
    'the pod to stand still',
  );
}

/** Returns the number of endless calls that a pod has received. */
function hanging({ keys }: Pick<FreezablePod, 'keys'>): number {
  return keys.filter(key => key === 'hang').length;
}

function createList(prefix: string) {
  return { prefix, startAfter: '', limit: 0, atRevision: 0 };
}
