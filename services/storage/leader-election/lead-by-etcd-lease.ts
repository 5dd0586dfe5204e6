import { randomUUID } from 'node:crypto';
import { backendRefusalIn } from '@binnacle/backend-access';
import { Backoff, pause } from '@binnacle/event-loop';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import type { EtcdConnection } from '../backends/etcd/connection.ts';
import { storageErrorFromEtcd } from '../backends/etcd/etcd-errors.ts';
import { keepLeaseAlive } from './keep-lease-alive.ts';
import { KeyWatch } from './key-watch.ts';
import type { Duty, RunAsLeader } from './leadership.ts';

/** Options of electing a leader. */
interface LeaseElectionOptions {
  readonly connection: EtcdConnection;
  /** Name of the election, which has one leader. */
  readonly name: string;
  /** Identity of this process, for operators. */
  readonly identity: string;
  /** Seconds without renewal after which a leader is replaced. */
  readonly ttlSeconds: number;
  readonly log: Logger;
}

/** Milliseconds between attempts to become leader; doubled after each failure, up to a bound. */
const campaignIntervalMs = 1000;
const longestIntervalMs = 4000;

/** Milliseconds after a term, and the shortest after a failure. */
const betweenTermsMs = 50;

/** Milliseconds that one request of the election may take. */
const requestTimeoutMs = 3000;

/** Milliseconds within which another candidate, if there is one, takes a released key. */
const longestVacancyMs = 1000;

/** The most milliseconds from releasing the key to the end of the term. */
const longestHandoverMs = 3000;

/** Milliseconds between checks of the successor's progress. */
const handoverLookMs = 50;

/**
 * Creates leadership by a key in etcd, bound to a lease that the leader keeps alive.
 *
 * A leader that cannot reach etcd gives up by its own clock after two thirds of the lease's time, before etcd lets
 * another process in. Its last requests may still be under way then; what the leader does must bear that.
 *
 * A process that finds its own value under the key takes it over under a new lease, in one transaction: after a longer outage of etcd
 * it need not wait for the old lease to expire. Candidates watch the key, so one follows as soon as the leader releases it.
 *
 * A process that is told to stop revokes its lease and continues its duty until its successor is at work, which a second key under the
 * successor's lease shows. The two overlap for a bounded time, so the duty is never interrupted.
 */
export function leadByEtcdLease(options: LeaseElectionOptions): RunAsLeader {
  return async (duty, signal) => {
    const failures = new FailureLog({
      log: options.log,
      failed: 'the election failed, retrying',
      worked: 'the election resumed after failures',
    });
    const works = (): void => {
      backoff.reset();
      failures.worked();
    };
    const lead: Duty = (term, atWork) => {
      works();
      return duty(term, atWork);
    };
    const { connection, name, identity } = options;
    const key = connection.layout.toBytes(storageKeyFrom(`/_leaders/${name}`));
    // No other process, and no earlier life of this one, puts the same value.
    const value = Buffer.from(`${identity} ${randomUUID()}`);
    const workKey = connection.layout.toBytes(storageKeyFrom(`/_leaders/${name}/at-work`));
    const candidate = { ...options, key, workKey, value };
    using watch = new KeyWatch(connection, key);
    const backoff = new Backoff({ firstMs: campaignIntervalMs * 2, longestMs: longestIntervalMs });
    while (!signal.aborted) {
      try {
        const heldAt = await campaignOnce(candidate, lead, signal);
        works();
        if (heldAt !== undefined) await watch.changed(heldAt, withJitter(campaignIntervalMs), signal);
        else await pause(betweenTermsMs, signal);
      } catch (thrown) {
        // The connection logs a refusal once; every attempt meets the same one.
        if (!signal.aborted && backendRefusalIn(thrown) === undefined) failures.failed(thrown);
        await pauseAfter(thrown, { connection, waitMs: backoff.next() }, signal);
      }
    }
  };
}

function withJitter(milliseconds: number): number {
  return milliseconds * (1 + Math.random() / 5);
}

interface FailedCampaign {
  readonly connection: EtcdConnection;
  readonly waitMs: number;
}

/** Waits before the next attempt; ends early when etcd answers again after an outage. */
async function pauseAfter(
  thrown: unknown,
  { connection, waitMs }: FailedCampaign,
  signal: AbortSignal,
): Promise<void> {
  await pause(betweenTermsMs, signal);
  const error = storageErrorFromEtcd(thrown);
  const isAway = backendRefusalIn(error) === undefined && ['unavailable', 'deadline'].includes(error.kind);
  const wakeBy = isAway ? { wakeBy: connection.onNextAnswer } : {};
  await pause(waitMs - betweenTermsMs, signal, wakeBy);
}

interface Candidate extends LeaseElectionOptions {
  readonly key: Buffer;
  /** The value that this run of the process puts under the key. */
  readonly value: Buffer;
  /** The key that exists while the leader is at work. */
  readonly workKey: Buffer;
}

/** Leads until the term is over, if it can; returns the revision of etcd at which another process held the key, if one did. */
async function campaignOnce(
  candidate: Candidate,
  duty: Duty,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { connection, ttlSeconds } = candidate;
  const { kvs, header } = await connection.range({ key: candidate.key }, callWithin(signal));
  const [held] = kvs;
  const isOwn = held?.value.equals(candidate.value) ?? false;
  if (held !== undefined && !isOwn) return Number(header.revision);
  const grantedAt = performance.now();
  const lease = await connection.grantLease(ttlSeconds, callWithin(signal));
  let givenBack: Promise<boolean> | undefined;
  const giveBack = (): Promise<boolean> => {
    givenBack ??= revoke(connection, lease);
    return givenBack;
  };
  try {
    if (!(await take(candidate, { lease, isOwn }, signal))) return Number(header.revision);
    await serveTerm(candidate, { lease, grantedAt, giveBack }, duty, signal);
  } finally {
    // Lets the next leader in at once; when etcd cannot be reached the lease runs out by itself, or this process takes the key over.
    await giveBack();
  }
  return undefined;
}

interface GrantedLease {
  readonly lease: string;
  readonly grantedAt: number;
  /** Revokes the lease; returns whether etcd confirmed it. */
  giveBack(): Promise<boolean>;
}

/** Performs the duty while the lease is held and, after a stop, until the successor is at work. */
async function serveTerm(
  candidate: Candidate,
  { lease, grantedAt, giveBack }: GrantedLease,
  duty: Duty,
  stop: AbortSignal,
): Promise<void> {
  const { connection, ttlSeconds, log, name } = candidate;
  const holding = new AbortController();
  const term = new AbortController();
  const end = (): void => term.abort();
  holding.signal.addEventListener('abort', end, { once: true });
  const handOver = async (): Promise<void> => {
    if (holding.signal.aborted) return;
    holding.signal.removeEventListener('abort', end);
    holding.abort();
    if (await giveBack()) await untilSuccessorWorks(candidate, term.signal).catch(() => {});
    end();
  };
  // Never rejects.
  const onStop = (): void => void handOver();
  stop.addEventListener('abort', onStop, { once: true });
  log.info('leading', { name, lease });
  const keeping = keepLeaseAlive({ connection, lease, ttlSeconds, grantedAt }, holding);
  try {
    if (stop.aborted) onStop();
    await duty(term.signal, () => void noteAtWork(candidate, lease));
  } finally {
    stop.removeEventListener('abort', onStop);
    end();
    holding.abort();
    await keeping;
    log.info('no longer leading', { name, lease });
  }
}

/** Revokes a lease; returns whether etcd confirmed it. */
async function revoke(connection: EtcdConnection, lease: string): Promise<boolean> {
  try {
    await connection.revokeLease(lease, callWithin(AbortSignal.timeout(1000)));
    return true;
  } catch {
    return false;
  }
}

/** Shows a predecessor that this leader is at work. Never rejects: an uninformed predecessor ends after a bounded time. */
async function noteAtWork({ connection, key, workKey, value }: Candidate, lease: string): Promise<void> {
  const isLeading = { result: 'Equal', target: 'Value', key, value } as const;
  const put = { request_put: { key: workKey, value, lease } };
  const call = callWithin(AbortSignal.timeout(requestTimeoutMs));
  await connection.txn({ compare: [isLeading], success: [put] }, call).catch(() => {});
}

/** Waits, for a bounded time, until another process has taken the key and is at work; returns early where none takes it. */
async function untilSuccessorWorks(
  { connection, key, workKey }: Candidate,
  signal: AbortSignal,
): Promise<void> {
  const since = performance.now();
  let mostMs = longestVacancyMs;
  while (!signal.aborted && performance.now() - since < mostMs) {
    await pause(handoverLookMs, signal);
    const [taken, working] = await Promise.all(
      [key, workKey].map(each => connection.range({ key: each, count_only: true }, callWithin(signal))),
    );
    if (Number(working?.count) > 0) return;
    if (Number(taken?.count) > 0) mostMs = longestHandoverMs;
  }
}

/** Puts the key under a lease, if it is absent or still has the value of this process. */
async function take(
  { connection, key, value }: Candidate,
  { lease, isOwn }: { readonly lease: string; readonly isOwn: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const untouched = isOwn
    ? ({ result: 'Equal', target: 'Value', key, value } as const)
    : ({ result: 'Equal', target: 'Create', key, create_revision: '0' } as const);
  const response = await connection.txn(
    { compare: [untouched], success: [{ request_put: { key, value, lease } }] },
    callWithin(signal),
  );
  return response.succeeded;
}

function callWithin(signal: AbortSignal): CallContext {
  return { signal, deadline: deadlineIn(requestTimeoutMs) };
}
