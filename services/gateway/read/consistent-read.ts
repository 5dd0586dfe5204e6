import type { CallContext } from '@binnacle/proto';
import { createCallContext, hasEnded } from '@binnacle/rpc';
import type { Revision, Storage, StorageKey } from '@binnacle/storage-contract';
import type { TypeCache } from '@binnacle/watch-cache';
import { createLatestRevisions } from './latest-revisions.ts';
import { resourceVersionTooLarge } from './resource-version-too-large.ts';

/** The source that a read is served from. */
export type ReadSource = 'cache' | 'storage';

/** Checks that the watch cache is fresh enough for a read. */
export interface ConsistentReads {
  /** The source for the current state, which has every write that was acknowledged before this call. */
  mostRecent(cache: TypeCache, call: CallContext): ReadSource | Promise<ReadSource>;
  /** Waits until the cache has the current state, as long as the call lasts. */
  mostRecentInCache(cache: TypeCache, call: CallContext): Promise<void>;
  /**
   * The source for a state at least as new as a revision. Throws Timeout with the cause `ResourceVersionTooLarge` when
   * the store does not reach it within three seconds.
   */
  notOlderThan(cache: TypeCache, revision: Revision, call: CallContext): ReadSource | Promise<ReadSource>;
}

/** Returns the revision of a type's last write, or of the store's; undefined when only the store knows it. */
export type CurrentRevision = (typePrefix: StorageKey | undefined) => Revision | undefined;

/** Time for which a read waits for the cache before it goes to the store. */
const cacheWaitMs = 1_000;
/** Time for which a read waits for a revision that the store has not reached. */
const futureWaitMs = 3_000;

/** Options of consistent reads. */
interface ConsistentReadsOptions {
  readonly storage: Pick<Storage, 'typeRevision'>;
  /** Set where the store is in this process. */
  readonly currentRevision?: CurrentRevision | undefined;
}

/** Creates the freshness checks of one gateway; its reads share requests to the store. */
export function createConsistentReads(options: ConsistentReadsOptions): ConsistentReads {
  const latest = createLatestRevisions(options.storage);
  const readLatest = (typePrefix: StorageKey | undefined, call: CallContext): Revision | Promise<Revision> =>
    options.currentRevision?.(typePrefix) ?? latest.of(typePrefix, call);
  /** The revision at which a wait for a cache timed out; while the cache stays there, reads do not wait for it. */
  const stalledAt = new WeakMap<TypeCache, Revision>();

  const sourceAt = (
    cache: TypeCache,
    revision: Revision,
    call: CallContext,
  ): ReadSource | Promise<ReadSource> => {
    if (cache.revision >= revision) return 'cache';
    if (stalledAt.get(cache) === cache.revision) return 'storage';
    return waitForCache(cache, revision, call);
  };

  const waitForCache = async (
    cache: TypeCache,
    revision: Revision,
    call: CallContext,
  ): Promise<ReadSource> => {
    if (await reaches(cache, revision, { waitMs: cacheWaitMs, call })) return 'cache';
    stalledAt.set(cache, cache.revision);
    return 'storage';
  };

  const mostRecent = (cache: TypeCache, call: CallContext): ReadSource | Promise<ReadSource> => {
    const revision = readLatest(cachePrefix(cache), call);
    return revision instanceof Promise
      ? revision.then(current => sourceAt(cache, current, call))
      : sourceAt(cache, revision, call);
  };

  const whenNotOlder = async (
    cache: TypeCache,
    revision: Revision,
    call: CallContext,
  ): Promise<ReadSource> => {
    const current = await readLatest(undefined, call);
    // The revision exists, perhaps as a write to another type: what is current now is at least as new.
    if (current >= revision) return await mostRecent(cache, call);
    if (await reaches(cache, revision, { waitMs: futureWaitMs, call })) return 'cache';
    const known = Math.max(current, cache.revision);
    throw resourceVersionTooLarge(`Too large resource version: ${revision}, current: ${known}`);
  };

  return {
    mostRecent,
    async mostRecentInCache(cache, call) {
      const revision = await readLatest(cachePrefix(cache), call);
      if (cache.revision < revision) await cache.waitFor(revision, call);
    },
    notOlderThan(cache, revision, call) {
      // A type that could not be listed yet has no state to serve, however old a one is asked for.
      if (cache.revision === 0) return whenNotOlder(cache, revision, call);
      return cache.revision >= revision ? 'cache' : whenNotOlder(cache, revision, call);
    },
  };
}

/** Waits for the cache, within the call but no longer than `waitMs`; throws when the call itself ends. */
async function reaches(
  cache: TypeCache,
  revision: Revision,
  { waitMs, call }: { waitMs: number; call: CallContext },
): Promise<boolean> {
  using bounded = createCallContext({ timeoutMs: waitMs, parent: call });
  try {
    await cache.waitFor(revision, bounded);
    return true;
  } catch (error) {
    if (hasEnded(call)) throw error;
    return cache.revision >= revision;
  }
}

function cachePrefix(cache: TypeCache): StorageKey {
  return cache.definition.storagePrefix as StorageKey; // Begins with a slash by definition of its type.
}
