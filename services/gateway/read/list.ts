import { expired } from '@binnacle/status-errors';
import { isStorageError, type Revision } from '@binnacle/storage-contract';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { collectionPrefix } from './collection-prefix.ts';
import { ContinueExpired } from './continue-expired.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import { type ListOptions, parseListOptions } from './list-options.ts';
import type { ReadServices } from './read-services.ts';
import { resourceVersionTooLarge } from './resource-version-too-large.ts';
import { hasSelector, listFromStorage, type StorageListQuery } from './storage-pages.ts';

type ListResult = Extract<ApiResult, { kind: 'list' }>;

/** Lists a collection at the version that its parameters ask for (spec 1, "Resource version semantics"). */
export async function list(request: ApiRequest, services: ReadServices): Promise<ListResult> {
  const { definition, query, call } = request;
  const options = parseListOptions(query, definition);
  const cache = services.watchCache.type(definition);
  const { consistentReads } = services;
  const reading: Reading = { request, services, options, cache };
  switch (options.version.kind) {
    case 'any':
      return listFromCache(reading, { limit: 0, atLeast: 0 });
    case 'mostRecent': {
      const source = await consistentReads.mostRecent(cache, call);
      return source === 'cache'
        ? listFromCache(reading, { limit: options.limit, atLeast: 0 })
        : await listCurrent(reading);
    }
    case 'notOlderThan': {
      const atLeast = options.version.revision;
      const source = await consistentReads.notOlderThan(cache, atLeast, call);
      return source === 'cache'
        ? listFromCache(reading, { limit: options.limit, atLeast })
        : await listCurrent(reading);
    }
    case 'exact':
      return await listExact(reading, options.version.revision);
    case 'continue':
      return await listContinued(reading, options.version.token);
  }
}

interface Reading {
  readonly request: ApiRequest;
  readonly services: ReadServices;
  readonly options: ListOptions;
  readonly cache: TypeCache;
}

function listFromCache(
  reading: Reading,
  { limit, atLeast }: { limit: number; atLeast: Revision },
): ListResult {
  const { request, options, cache } = reading;
  const { namespace } = request.info;
  const found = cache.list({
    namespace: namespace === '' ? undefined : namespace,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
  });
  // The caller made sure that nothing of this type happened between the cache's revision and `atLeast`.
  const revision = Math.max(found.revision, atLeast);
  if (limit === 0 || found.objects.length <= limit) return { kind: 'list', items: found.objects, revision };
  // In key order, as in the store, from which later parts come.
  const items = found.objects.slice(0, limit);
  const last = items.at(-1)?.key;
  if (last === undefined) return { kind: 'list', items, revision };
  const prefix = collectionPrefix(request.definition, namespace);
  return {
    kind: 'list',
    items,
    revision,
    continue: encodeContinueToken({ revision, startAfter: last }, prefix),
    ...(hasSelector(options) ? {} : { remainingItemCount: found.objects.length - items.length }),
  };
}

async function listCurrent(reading: Reading): Promise<ListResult> {
  return await listStored(reading, { startAfter: undefined, atRevision: undefined });
}

async function listExact(reading: Reading, revision: Revision): Promise<ListResult> {
  try {
    return await listStored(reading, { startAfter: undefined, atRevision: revision });
  } catch (error) {
    if (isStorageError(error, 'compacted'))
      throw expired('The resourceVersion for the provided list is too old.');
    if (!isStorageError(error, 'future-revision')) throw error;
    throw resourceVersionTooLarge(
      `Too large resource version: ${revision}, current: ${reading.cache.revision}`,
    );
  }
}

async function listContinued(reading: Reading, text: string): Promise<ListResult> {
  const prefix = collectionPrefix(reading.request.definition, reading.request.info.namespace);
  const token = decodeContinueToken(text, prefix);
  try {
    return await listStored(reading, { startAfter: token.startAfter, atRevision: token.revision });
  } catch (error) {
    if (!isStorageError(error, 'compacted')) throw error;
    const fresh = encodeContinueToken({ revision: undefined, startAfter: token.startAfter }, prefix);
    throw new ContinueExpired(fresh);
  }
}

async function listStored(
  { request, services, options }: Reading,
  part: Pick<StorageListQuery, 'startAfter' | 'atRevision'>,
): Promise<ListResult> {
  const { definition, info, call } = request;
  const prefix = collectionPrefix(definition, info.namespace);
  const { limit, labelSelector, fieldSelector } = options;
  const query = { definition, prefix, limit, labelSelector, fieldSelector, ...part };
  const { items, revision, continueAfter, remaining } = await listFromStorage(query, services.storage, call);
  return {
    kind: 'list',
    items,
    revision,
    ...(continueAfter === undefined
      ? {}
      : { continue: encodeContinueToken({ revision, startAfter: continueAfter }, prefix) }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}
