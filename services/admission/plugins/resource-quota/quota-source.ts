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
  /** Parses the whole object; the result belongs to the caller. */
  parse(): ApiObject;
}

/** Source of quotas. */
export interface QuotaSource {
  /** Revision up to which the cache has every change of quotas. */
  readonly revision: Revision;
  /** Returns the quotas of a namespace from the cache, by name. */
  cached(namespace: string): readonly SeenQuota[];
  /** Reads the quotas of a namespace from the store, by name. */
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
