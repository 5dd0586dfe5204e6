import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups } from '@binnacle/api-names';
import { untilAborted } from '@binnacle/event-loop';
import { conflict, serviceUnavailable } from '@binnacle/status-errors';
import type { ApiRequestOptions } from '../requests/send.ts';
import { type LeaderElectionOptions, runLeaderElection } from './leader-election.ts';

/** Runs a candidate for `requests` requests against an API with these answers. */
async function elect(
  requests: number,
  answer: (request: ApiRequestOptions) => unknown,
  options: Partial<LeaderElectionOptions> = {},
) {
  const heard: string[] = [];
  const stop = new AbortController();
  let sent = 0;
  await runLeaderElection({
    client: {
      // The candidate expects the type of the answer to its request.
      async request<T>(request: ApiRequestOptions): Promise<T> {
        if (++sent === requests) stop.abort();
        return answer(request) as T;
      },
      watch: () => assert.fail('an election watches nothing'),
      watchBatches: () => assert.fail('an election watches nothing'),
      async [Symbol.asyncDispose]() {},
    },
    namespace: 'n',
    name: 'lease',
    identity: 'me',
    leaseDurationMs: 60_000,
    retryMs: 1,
    signal: stop.signal,
    lead: async () => void heard.push('leads'),
    onError: () => void heard.push('error'),
    onSuccess: () => void heard.push('success'),
    ...options,
  });
  return heard;
}

const createLease = (holderIdentity: string) => ({
  metadata: { name: 'lease', namespace: 'n', resourceVersion: '1' },
  spec: { holderIdentity },
});

test('a lease that can be read but not written counts as a failure', async () => {
  const heard = await elect(5, ({ method }) => {
    if (method === 'GET') return createLease('me');
    throw serviceUnavailable('no writes');
  });
  assert.deepEqual(heard, ['error', 'error']);
});

test('a lease that another candidate holds counts as a success without a write', async () => {
  const heard = await elect(3, ({ method }) => {
    assert.equal(method, 'GET');
    return createLease('another');
  });
  assert.deepEqual(heard, ['success', 'success', 'success']);
});

test('taking a lease counts as a success, and each renewal too', async () => {
  const heard = await elect(4, () => createLease('me'));
  assert.deepEqual(heard, ['success', 'leads', 'success', 'success']);
});

test('leadership survives a renewal that was written but not answered, and ends when another candidate took the lease', async () => {
  let version = 1;
  let holder = 'me';
  let isLost = false;
  const written: string[] = [];
  const held = () => ({
    ...createLease(holder),
    metadata: { ...createLease(holder).metadata, resourceVersion: `${version}` },
  });
  const heard = await elect(
    8,
    ({ method, body }) => {
      if (method === 'GET') return held();
      const { metadata } = body as ReturnType<typeof createLease>; // The body is a Lease.
      if (metadata.resourceVersion !== `${version}`)
        throw conflict({ group: groups.coordination, resource: 'leases' }, 'lease', 'it has changed');
      version++;
      written.push(metadata.resourceVersion);
      if (written.length === 2) throw serviceUnavailable('the answer is lost');
      if (written.length === 4) {
        holder = 'another';
        throw serviceUnavailable('another was faster');
      }
      return held();
    },
    {
      lead: signal =>
        untilAborted(signal).then(() => {
          isLost = true;
        }),
    },
  );
  assert.deepEqual(written, ['1', '2', '3', '4']);
  assert.deepEqual(heard, ['success', 'error', 'success', 'error', 'success']);
  assert.ok(isLost);
});

test('a candidate without a server retries after pauses that grow to the retry period', async () => {
  const waits: number[] = [];
  const answers = ['away', 'away', 'away', 'away', 'away', 'another', 'away', 'end'];
  const wait = async (ms: number) => void waits.push(ms);
  const answer = () => {
    if (answers.shift() === 'another') return createLease('another');
    throw serviceUnavailable('away');
  };
  await elect(answers.length, answer, { retryMs: 800, wait });
  // After a failure a pause is up to 50 % shorter, otherwise up to 20 % shorter or longer.
  const expected: readonly (readonly [least: number, most: number])[] = [
    [50, 100],
    [100, 200],
    [200, 400],
    [400, 800],
    [400, 800],
    [640, 960],
    [50, 100],
  ];
  assert.ok(waits.length >= expected.length, `${waits.length} pauses`);
  for (const [index, [least, most]] of expected.entries()) {
    const ms = waits[index] ?? 0;
    assert.ok(ms >= least && ms <= most, `pause ${index}: ${ms} ms`);
  }
});
