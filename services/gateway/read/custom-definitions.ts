import { groups } from '@binnacle/api-names';
import type { LiveTypeRegistry, ResourceDefinition } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import type { Logger } from '@binnacle/telemetry';
import { createDefinitionFollower, type WatchCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from './consistent-read.ts';

/** The types that definitions of custom resources add to those of the server. */
export interface CustomDefinitions extends Disposable {
  /** Resolves once the types of all definitions are served. */
  start(): Promise<void>;
  readonly isStarted: boolean;
  /**
   * Waits until every definition is followed that was written before the call: a client that saw a type established
   * elsewhere finds it here too. Rejects with a StatusError when that takes too long.
   */
  catchUp(call: CallContext): Promise<void>;
}

/** Options of the custom types. */
interface CustomDefinitionsOptions {
  readonly registry: LiveTypeRegistry;
  readonly watchCache: WatchCache;
  readonly consistentReads: ConsistentReads;
  readonly logger: Logger;
  /** Called for a type that is no longer served. */
  readonly onGone?: (type: ResourceDefinition) => void;
}

const timeoutMs = 5_000;

/** Follows the definitions; a server that does not serve definitions has no custom types. */
export function createCustomDefinitions(options: CustomDefinitionsOptions): CustomDefinitions {
  const { registry, watchCache, consistentReads, logger, onGone } = options;
  if (registry.resource(groups.apiextensions, 'v1', 'customresourcedefinitions') === undefined)
    return noDefinitions;
  const log = logger.child({ component: 'custom-definitions' });
  const follower = createDefinitionFollower({
    registry,
    watchCache,
    holdsObjects: true,
    log,
    async catchUp(replica) {
      using call = createCallContext({ timeoutMs });
      await consistentReads.mostRecentInCache(replica, call);
    },
    ...(onGone && { onGone }),
  });
  return {
    start: () => follower.start(),
    get isStarted() {
      return follower.isStarted;
    },
    async catchUp(parent) {
      using call = createCallContext({ timeoutMs, parent });
      await consistentReads.mostRecentInCache(follower.definitions, call);
      await follower.settled(call);
    },
    [Symbol.dispose]: () => follower[Symbol.dispose](),
  };
}

const noDefinitions: CustomDefinitions = {
  start: async () => {},
  isStarted: true,
  catchUp: async () => {},
  [Symbol.dispose]() {},
};
