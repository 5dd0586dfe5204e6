import { Refusal } from '@binnacle/backend-access';
import { createCallContext } from '@binnacle/rpc';
import type { Health, HealthCheck } from '@binnacle/service-kit';
import { type Storage, spaceProblem } from '@binnacle/storage-contract';
import type { ChangeFeed, WatchCache } from '@binnacle/watch-cache';
import type { Bootstrap } from '../bootstrap/start-bootstrap.ts';

/** The sources of the gateway's health. */
interface HealthSources {
  readonly storage: Pick<Storage, 'typeRevision' | 'space'>;
  readonly watchCache: Pick<WatchCache, 'isReady'>;
  readonly changeFeed: Pick<ChangeFeed, 'refusal' | 'isDirect'>;
  readonly bootstrap: Pick<Bootstrap, 'isDone'>;
  readonly rolesAreLoaded: () => boolean;
  /** Throws when the authorization webhook failed the last time; undefined: there is none. */
  readonly assertWebhookWorks?: (() => void) | undefined;
  /** Time after the start during which an unfinished start does not fail `/livez`. */
  readonly livezGracePeriod: number;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

const storageTimeoutMs = 1_500;
/**
 * Time for which a good answer of the store is reused, so that more probes cause no more requests. A bad one is not
 * reused.
 */
const goodAnswerMs = 2_000;
/** Time for which the store's report of its space is reused. */
const spaceAnswerMs = 5_000;

/** Adds the gateway's checks, under the names that monitoring of kube-apiserver expects. */
export function registerHealthChecks(health: Health, sources: HealthSources): void {
  const startedAt = sources.clock();
  let goodAt = Number.NEGATIVE_INFINITY;
  health.add('etcd', async signal => {
    const askedAt = sources.clock();
    if (askedAt < goodAt + goodAnswerMs) return;
    using call = createCallContext({ timeoutMs: storageTimeoutMs, signal });
    await sources.storage.typeRevision(undefined, call);
    goodAt = askedAt;
  });
  const { storage } = sources;
  if (storage.space !== undefined) health.add('store-space', spaceCheck(sources), { informative: true });
  health.add('informer-sync', () => assertTrue(sources.watchCache.isReady, 'types are still being listed'));
  health.add('change-feed', () => {
    const { refusal, isDirect = false } = sources.changeFeed;
    if (refusal !== undefined) throw refusal;
    return isDirect ? 'changes come from storage directly' : undefined;
  });
  health.add('poststarthook/bootstrap-objects', () =>
    assertTrue(sources.bootstrap.isDone, 'defaults are not written'),
  );
  health.add('poststarthook/rbac/bootstrap-roles', () =>
    assertTrue(sources.rolesAreLoaded(), 'roles are not loaded'),
  );
  if (sources.assertWebhookWorks !== undefined)
    health.add('authorization-webhook', sources.assertWebhookWorks, { informative: true });
  if (sources.livezGracePeriod === 0) return;
  health.add(
    'poststarthook/start-in-time',
    () => {
      const isLate = sources.clock() - startedAt > sources.livezGracePeriod;
      assertTrue(!isLate || sources.watchCache.isReady, 'the start takes too long');
    },
    { live: true },
  );
}

/** A check that fails, and says why, while the store is full or nearly full. */
function spaceCheck({ storage, clock }: HealthSources): HealthCheck {
  let askedAt = Number.NEGATIVE_INFINITY;
  let problem: string | undefined;
  return async signal => {
    const now = clock();
    if (now < askedAt || now >= askedAt + spaceAnswerMs) {
      askedAt = now;
      using call = createCallContext({ timeoutMs: storageTimeoutMs, signal });
      // Another check reports that storage does not answer.
      const space = await storage.space?.(call).catch(() => undefined);
      problem = space && spaceProblem(space);
    }
    if (problem !== undefined) throw new Refusal(problem);
  };
}

function assertTrue(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
