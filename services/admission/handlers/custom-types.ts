import {
  customDefinitionFrom,
  type LiveTypeRegistry,
  objectKey,
  type ResourceDefinition,
} from '@binnacle/api-types';
import { decodeStored } from '@binnacle/codecs';
import type { CallContext, RevisionPrecondition } from '@binnacle/proto';
import { createCallContext, withDeadline } from '@binnacle/rpc';
import { resourceNotFound, StatusError } from '@binnacle/status-errors';
import { type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import type { Logger } from '@binnacle/telemetry';
import { type CachedObject, createDefinitionFollower, type WatchCache } from '@binnacle/watch-cache';
import { createRecentReviews } from '../chain/recent-reviews.ts';
import type { Review } from '../chain/review.ts';
import { readStore, readTypeRevision } from '../sources/read-store.ts';

/** The custom types. */
export interface CustomTypes extends Disposable {
  /** Resolves once every definition is known. */
  ready(): Promise<void>;
  readonly isReady: boolean;
  /** Finds any type by its names; waits for one that was defined a moment ago. */
  find(
    name: TypeName,
    call: CallContext,
  ): ResourceDefinition | undefined | Promise<ResourceDefinition | undefined>;
  /**
   * Returns the preconditions for the creation of a custom object: the current revision of its definition, so that no object is
   * created while the definition is being deleted. Throws MethodNotAllowed when it is.
   */
  preconditionsFor(review: Review): Preconditions | Promise<Preconditions>;
}

type Preconditions = readonly RevisionPrecondition[];

/** The names of a type. */
interface TypeName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Options of the look-up of types. */
interface CustomTypesOptions {
  readonly registry: LiveTypeRegistry;
  readonly watchCache: WatchCache;
  readonly storage: Pick<Storage, 'get' | 'typeRevision'>;
  readonly log: Logger;
}

const timeoutMs = 5_000;
const none: Preconditions = [];

/** Creates the custom types from the definitions in a cache, which are followed once the cache is ready. */
export function createCustomTypes(options: CustomTypesOptions): CustomTypes {
  const { registry, watchCache, storage, log } = options;
  const follower = createDefinitionFollower({ registry, watchCache, holdsObjects: false, log });
  const { definitions } = follower;
  const reviewed = createRecentReviews();
  const started = watchCache.ready().then(() => follower.start());
  started.catch(() => {}); // Callers that wait for it get the error.

  const catchUp = async (parent: CallContext): Promise<void> => {
    using call = createCallContext({ timeoutMs, parent });
    await withDeadline(started, call);
    const revision = await readTypeRevision(storage, definitions.definition, call);
    await definitions.waitFor(revision, call);
  };

  /** Reads the definition from the store. */
  const readPreconditions = async (
    definition: ResourceDefinition,
    key: StorageKey,
    call: CallContext,
  ): Promise<Preconditions> => {
    const { record } = await readStore(() => storage.get(key, call));
    if (record === undefined) throw resourceNotFound();
    if (customDefinitionFrom(decodeStored(record.value, record.revision)).terminating)
      throw notWhileTerminating(definition);
    return [{ key, revision: record.revision }];
  };

  return {
    ready: () => started,
    get isReady() {
      return follower.isStarted;
    },
    find({ group, version, resource }, call) {
      const found = registry.resource(group, version, resource);
      if (found !== undefined || !group.includes('.')) return found;
      return catchUp(call).then(() => registry.resource(group, version, resource));
    },
    preconditionsFor(review) {
      const { definition, operation, object, call } = review;
      if (operation !== 'CREATE' || definition.message.structure === undefined) return none;
      // The first review of the same object did not lead to a commit, so the cache was outdated.
      const isRetry = reviewed.note(object?.metadata.uid ?? '');
      const cached = isRetry ? undefined : follower.findDefinition(definition);
      const name = `${definition.resource}.${definition.group}`;
      const key = storageKeyFrom(objectKey(definitions.definition, '', name));
      if (cached !== undefined) {
        if (cached.derived(terminatingSlot, isTerminating)) throw notWhileTerminating(definition);
        return [{ key, revision: cached.revision }];
      }
      return readPreconditions(definition, key, call);
    },
    [Symbol.dispose]: () => follower[Symbol.dispose](),
  };
}

const terminatingSlot = Symbol('definition is being deleted');

function isTerminating(cached: CachedObject): boolean {
  return customDefinitionFrom(cached.parse()).terminating;
}

function notWhileTerminating({ group, resource }: ResourceDefinition): StatusError {
  return new StatusError({
    reason: 'MethodNotAllowed',
    code: 405,
    message: `create is not allowed on ${resource}.${group} while its definition is being deleted`,
    details: { group, kind: resource },
  });
}
