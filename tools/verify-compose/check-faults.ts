import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Check, CheckContext } from './checks.ts';
import { podman } from './podman.ts';
import { type FaultOutcome, WatchedWrites } from './watched-writes.ts';

/** Checks of clients while a container goes away under writes and watches. */
export const faultChecks: readonly Check[] = [
  { what: 'a gateway is killed under watches', run: underFault('gateway', killed) },
  {
    what: 'a gateway is stopped gracefully under watches',
    run: underFault('gateway', stopped, { retries: 1 }),
  },
  { what: 'the first storage pod is killed under watches', run: underFault('storage', killed) },
  {
    what: 'the second storage pod is killed under watches',
    run: underFault('storage', killed, { number: 2 }),
  },
  { what: 'Kafka is killed under watches', run: underFault('kafka', killed) },
  { what: 'admission is stopped gracefully under writes', run: underFault('admission', stopped) },
  {
    what: 'every service is restarted under watches, one container after the other',
    run: everyServiceIsRestarted,
  },
];

/** The services in the order in which an operator restarts them. */
const services = [
  'storage',
  'token-review',
  'webhook-dispatch',
  'admission',
  'gateway',
  'controller-manager',
];

async function everyServiceIsRestarted({ composition, adminConfiguration }: CheckContext): Promise<string> {
  await using writes = await WatchedWrites.start(adminConfiguration);
  await writes.outcome();
  const containers = services.flatMap(service => composition.listContainers(service));
  for (const container of containers) {
    await podman(['restart', container], { timeoutMs: 120_000 });
    await composition.allHealthy();
    // The balancer looks at gateways once a second.
    await delay(3_000);
  }
  const seen = await writes.outcome();
  const gateways = composition.listContainers('gateway').length;
  assert.ok(seen.retries <= gateways, `${seen.retries} requests were sent again: ${seen.reasons}`);
  return `${containers.length} restarts, ${describeOutcome(seen)}`;
}

interface FaultOptions {
  /** Number of the container of the service; default: the first. */
  readonly number?: number;
  /** The most requests that may be sent once more; default: as many as it takes. A server can close a connection just as the next request sets out. */
  readonly retries?: number;
}

function underFault(
  service: string,
  fault: (container: string) => Promise<void>,
  { number = 1, retries }: FaultOptions = {},
): (context: CheckContext) => Promise<string> {
  return async ({ composition, adminConfiguration }) => {
    await using writes = await WatchedWrites.start(adminConfiguration);
    await writes.outcome();
    const container = composition.listContainers(service)[number - 1];
    assert.ok(container, `${service} has no container ${number}`);
    await fault(container);
    await composition.allHealthy();
    await delay(3_000);
    const seen = await writes.outcome();
    if (retries !== undefined)
      assert.ok(seen.retries <= retries, `${seen.retries} requests were sent again: ${seen.reasons}`);
    return describeOutcome(seen);
  };
}

function describeOutcome(seen: FaultOutcome): string {
  return [
    `${seen.acknowledged} writes, ${seen.retries} retries${seen.retries > 0 ? ` (${seen.reasons})` : ''}, the longest ${seen.longestWriteMs} ms`,
    `watches began anew ${seen.resumed} times, the longest pause between events ${seen.longestPauseMs} ms`,
  ].join('; ');
}

/** Ends the container as a crash would: its processes are killed from outside, and its restart policy takes effect. */
async function killed(container: string): Promise<void> {
  const pid = Number(await podman(['inspect', '--format', '{{.State.Pid}}', container]));
  assert.ok(pid > 1, `${container} does not run`);
  process.kill(pid, 'SIGKILL');
  await delay(1_000);
}

async function stopped(container: string): Promise<void> {
  await podman(['stop', container], { timeoutMs: 90_000 });
  await delay(2_000);
  await podman(['start', container]);
}
