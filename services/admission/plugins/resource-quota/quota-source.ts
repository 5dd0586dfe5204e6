import type { ApiObject } from '@binnacle/api-objects';
import { type QuotaState, quotaStateFrom } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey } from '@binnacle/storage-contract';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** A quota at one revision. */
export interface SeenQuota {
  readonly key: StorageKey;
  readonly revision: Revision;
  readonly state: QuotaState;
  /** The whole object, parsed anew each time. */
  parse(): ApiObject;
}

/** Where quotas are found. */
export interface QuotaSource {
  /** Every change of quotas up to here is in the cache. */
  readonly revision: Revision;
  /** The quotas of a namespace as the cache has them, in order of name. */
  cached(namespace: string): readonly SeenQuota[];
  /** The quotas of a namespace as the store has them now, in order of name. */
  current(namespace: string, call: CallContext): Promise<readonly SeenQuota[]>;
}

const stateSlot = Symbol('state of a quota');

/** Creates a source on a cache and the store behind it. */
export function createQuotaSource(cache: TypeCache, reader: ObjectReader): QuotaSource {
  return {
    get revision() {
      return cache.revision;
    },
    cached: namespace => (cache.size === 0 ? [] : cache.list({ namespace }).objects.map(seenQuota)),
    current: async (namespace, call) => (await reader.listCurrent(namespace, call)).map(seenQuota),
  };
}

function seenQuota(object: SeenObject): SeenQuota {
  const { key, revision } = object;
  return { key, revision, state: object.derived(stateSlot, readState), parse: () => object.parse() };
}

function readState(object: SeenObject): QuotaState {
  return quotaStateFrom(object.parse());
}
