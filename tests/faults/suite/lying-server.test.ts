import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckName } from '@binnacle/binnaclectl/testing';
import type { ApiClient, ApiRequestOptions, WatchMessage } from '@binnacle/client';
import { startStandalone } from '@binnacle/standalone/testing';
import { notFound } from '@binnacle/status-errors';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { openDoors } from './run-on-form.ts';
import { runSuite, type SuiteResult } from './run-suite.ts';

/** Clients of a server that does not tell the truth. */
interface Lie {
  readonly request?: (request: ApiRequestOptions, client: ApiClient) => Promise<unknown>;
  /** The messages in place of one. */
  readonly watch?: (message: WatchMessage, path: string) => readonly WatchMessage[];
}

const durationMs = 6_000;
/** Long enough for one server without faults to show what it has; short enough for a test of what it never shows. */
const settleMs = 15_000;

/** Runs the clients, without faults, against a server of one process behind the lie. */
async function runBehind(lie: Lie): Promise<SuiteResult> {
  await using directory = await createTemporaryDirectory();
  await using server = await startStandalone({ dataDir: join(directory.path, 'data'), port: 0 });
  await using stack = new AsyncDisposableStack();
  const doors = openDoors(server, [server.url]);
  for (const { client } of doors) stack.use(client);
  return await runSuite({
    doors: doors.map(door => ({ ...door, client: through(lie, door.client) })),
    injectFaults: async () => {},
    seed: 1,
    durationMs,
    settleMs,
    log: () => {},
  });
}

function through(
  { request = (options, client) => client.request(options), watch }: Lie,
  client: ApiClient,
): ApiClient {
  return {
    async request<T>(options: ApiRequestOptions): Promise<T> {
      return (await request(options, client)) as T; // The lie keeps the shape.
    },
    async *watch(path, signal, options) {
      for await (const message of client.watch(path, signal, options)) {
        if (watch) yield* watch(message, path);
        else yield message;
      }
    },
    watchBatches: (path, signal, options) => client.watchBatches(path, signal, options),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Tells for each call whether it is the one of that number. */
function only(number: number): () => boolean {
  let count = 0;
  return () => ++count === number;
}

const meetingMs = 200;

/** Lets the first of two calls for a path wait for the second, for a moment, so that updates of one version meet. */
function meetings(): (path: string) => Promise<void> {
  const waiting = new Map<string, () => void>();
  return async path => {
    const release = waiting.get(path);
    waiting.delete(path);
    if (release) return release();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(path, resolve);
    await Promise.race([promise, pause(meetingMs)]);
    if (waiting.get(path) === resolve) waiting.delete(path);
  };
}

const isChange = ({ type }: WatchMessage) => type !== 'BOOKMARK';
const isRegister = (path: string) => path.includes('/configmaps/register-');

function listLies(): readonly (readonly [what: string, check: CheckName, lie: Lie])[] {
  const isChosen = only(40);
  const [isDropped, isRepeated] = [only(60), only(60)];
  const meetAnother = meetings();
  const answers = new Map<string, unknown>();
  let isLost = false;
  return [
    [
      'leaves out an event',
      'watches',
      { watch: message => (isChange(message) && isDropped() ? [] : [message]) },
    ],
    [
      'shows an event twice',
      'watches',
      { watch: message => (isChange(message) && isRepeated() ? [message, message] : [message]) },
    ],
    [
      'does not look at versions',
      'registers',
      {
        async request(options, client) {
          if (options.method !== 'PUT') return client.request(options);
          await meetAnother(options.path);
          const body = options.body as { metadata: { resourceVersion?: string } }; // The suite wrote it.
          const { resourceVersion: _, ...metadata } = body.metadata;
          return client.request({ ...options, body: { ...body, metadata } });
        },
      },
    ],
    [
      'answers from an old copy',
      'reads',
      {
        async request(options, client) {
          if (options.method !== 'GET' || !isRegister(options.path)) return client.request(options);
          const answer = answers.get(options.path) ?? (await client.request(options));
          answers.set(options.path, answer);
          return answer;
        },
      },
    ],
    [
      'loses an object that was there',
      'reads',
      {
        request(options, client) {
          isLost ||= options.method === 'GET' && isRegister(options.path) && isChosen();
          return isLost && options.method === 'GET' && isRegister(options.path)
            ? Promise.reject(notFound({ group: '', resource: 'configmaps' }, 'register'))
            : client.request(options);
        },
      },
    ],
  ];
}

test('a correct server has no violation', async () => {
  const { verdict, failures } = await runBehind({});
  assert.deepEqual(failures, []);
  assert.deepEqual(verdict.violations, []);
  assert.deepEqual(verdict.undecided, []);
  const { acknowledgedWrites, reads, events } = verdict.counts;
  assert.ok(Math.min(acknowledgedWrites, reads, events) > 0);
});

for (const [what, check, lie] of listLies())
  test(`a violation is found if a server ${what}`, async () => {
    const { verdict } = await runBehind(lie);
    assert.ok(
      verdict.violations.some(violation => violation.check === check),
      JSON.stringify(verdict),
    );
  });
