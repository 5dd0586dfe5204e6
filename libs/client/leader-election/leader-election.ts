import { hostname } from 'node:os';
import { groups } from '@binnacle/api-names';
import { microTimestampFrom } from '@binnacle/api-objects';
import { Backoff, pause } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import type { ApiClient } from '../requests/api-client.ts';

/** Options of a candidate for leadership. */
export interface LeaderElectionOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  /** Name of the Lease that the candidates share. */
  readonly name: string;
  /** Identity of this candidate, which must be unique. */
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly retryMs: number;
  readonly signal: AbortSignal;
  /** Runs while this candidate leads; its signal aborts when leadership is lost. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Called whenever the lease was written, or read while another candidate holds it. */
  readonly onSuccess?: () => void;
  /** Waits between two attempts; default: `pause`. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Lease {
  readonly apiVersion: string;
  readonly kind: string;
  metadata: { name: string; namespace: string; resourceVersion?: string };
  spec?: {
    holderIdentity?: string;
    renewTime?: string;
    acquireTime?: string;
    leaseDurationSeconds?: number;
    leaseTransitions?: number;
  };
}

interface Observation {
  readonly version: string | undefined;
  /** Monotonic time at which this version of the lease was first seen, in ms. */
  readonly at: number;
}

/** The pause after the first failure, as a fraction of `retryMs`. */
const firstPause = 1 / 8;

/** Creates a unique identity of a candidate. */
export function candidateIdentity(): string {
  return `${hostname()}_${crypto.randomUUID()}`;
}

/**
 * Takes part in an election by a Lease until the signal aborts, and leads when elected.
 *
 * A candidate takes over another's lease when its record has not changed for a lease duration by the candidate's own
 * monotonic clock, so clocks need not agree. A leader that cannot renew for two thirds of the duration, counted from
 * when it sent its last renewal, stops leading before another candidate may start. After failures the pauses grow from
 * an eighth of `retryMs` to `retryMs`, so that a candidate that starts before the server is elected soon after the
 * server is up.
 */
export async function runLeaderElection(options: LeaderElectionOptions): Promise<void> {
  const { signal, retryMs, wait = pause } = options;
  const backoff = new Backoff({ firstMs: retryMs * firstPause, longestMs: retryMs });
  let observed: Observation = { version: undefined, at: performance.now() };
  while (!signal.aborted) {
    let pauseMs = retryMs * (0.8 + Math.random() * 0.4);
    try {
      const lease = await readLease(options);
      const version = lease?.metadata.resourceVersion;
      if (version !== observed.version) observed = { version, at: performance.now() };
      const expired = performance.now() - observed.at >= options.leaseDurationMs;
      const holder = lease?.spec?.holderIdentity;
      const mayHold = !lease || !holder || holder === options.identity || expired;
      const sentAt = performance.now();
      const held = mayHold ? await writeLease(options, lease) : undefined;
      backoff.reset();
      options.onSuccess?.();
      if (held) await leadWhileHeld(options, held, sentAt);
    } catch (error) {
      pauseMs = backoff.next();
      if (!signal.aborted) options.onError(error);
    }
    await wait(pauseMs, signal);
  }
}

async function leadWhileHeld(options: LeaderElectionOptions, first: Lease, sentAt: number): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const leading = options.lead(signal).catch(options.onError);
  let lease = first;
  let renewedAt = sentAt;
  let isUnsure = false;
  while (!signal.aborted) {
    await pause(options.retryMs, signal);
    if (signal.aborted) break;
    const attemptAt = performance.now();
    try {
      // A failed renewal may have been written; the lease then has a new version and the same holder.
      const found = isUnsure ? await readLease(options) : lease;
      if (found?.spec?.holderIdentity !== options.identity) break;
      const renewed = await writeLease(options, found);
      if (!renewed) break;
      lease = renewed;
      isUnsure = false;
      renewedAt = attemptAt;
      options.onSuccess?.();
    } catch (error) {
      isUnsure = true;
      options.onError(error);
      if (performance.now() - renewedAt > (options.leaseDurationMs * 2) / 3) break;
    }
  }
  lost.abort();
  await leading;
  if (options.signal.aborted) await release(options, lease);
}

const leaseVersion = `${groups.coordination}/v1`;

const leasePath = ({ namespace }: LeaderElectionOptions): string =>
  `/apis/${leaseVersion}/namespaces/${namespace}/leases`;

async function readLease(options: LeaderElectionOptions): Promise<Lease | undefined> {
  try {
    return await options.client.request<Lease>({
      method: 'GET',
      path: `${leasePath(options)}/${options.name}`,
      timeoutMs: requestTimeoutMs(options),
    });
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}

/** Acquires or renews the lease; undefined if another candidate wrote it first. */
async function writeLease(
  options: LeaderElectionOptions,
  current: Lease | undefined,
): Promise<Lease | undefined> {
  const now = microTimestampFrom(Date.now());
  const taken = current?.spec?.holderIdentity !== options.identity;
  const body: Lease = {
    apiVersion: leaseVersion,
    kind: 'Lease',
    metadata: current?.metadata ?? { name: options.name, namespace: options.namespace },
    spec: {
      holderIdentity: options.identity,
      leaseDurationSeconds: Math.ceil(options.leaseDurationMs / 1000),
      renewTime: now,
      acquireTime: taken ? now : (current?.spec?.acquireTime ?? now),
      leaseTransitions: (current?.spec?.leaseTransitions ?? 0) + (taken && current ? 1 : 0),
    },
  };
  const path = current ? `${leasePath(options)}/${options.name}` : leasePath(options);
  try {
    return await options.client.request<Lease>({
      method: current ? 'PUT' : 'POST',
      path,
      body,
      timeoutMs: requestTimeoutMs(options),
    });
  } catch (error) {
    if (error instanceof StatusError && error.code === 409) return undefined;
    throw error;
  }
}

/** Releases the lease, so that the next leader need not wait for its expiry. */
async function release(options: LeaderElectionOptions, lease: Lease): Promise<void> {
  const body = { ...lease, spec: { ...lease.spec, holderIdentity: '' } };
  const path = `${leasePath(options)}/${options.name}`;
  await options.client.request({ method: 'PUT', path, body, timeoutMs: 2000 }).catch(options.onError);
}

function requestTimeoutMs({ leaseDurationMs }: LeaderElectionOptions): number {
  return Math.min(5000, leaseDurationMs / 3);
}
