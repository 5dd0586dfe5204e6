import { expired, type Status, StatusError } from '@binnacle/status-errors';
import { isStorageError, type Revision, type StorageKey } from '@binnacle/storage-contract';
import type { CachePage, CacheQuery, TypeCache } from '@binnacle/watch-cache';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { collectionPrefix } from './collection-prefix.ts';
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
      // A type that could not be listed yet has no state to serve.
      return cache.revision === 0
        ? await listMostRecent(reading, undefined)
        : listFromCache(reading, { limit: 0, atLeast: 0 });
    case 'mostRecent':
      return await listMostRecent(reading, undefined);
    case 'notOlderThan': {
      const atLeast = options.version.revision;
      const source = await consistentReads.notOlderThan(cache, atLeast, call);
      return source === 'cache'
        ? listFromCache(reading, { limit: options.limit, atLeast })
        : await listStored(reading, { startAfter: undefined, atRevision: undefined });
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

async function listMostRecent(reading: Reading, startAfter: StorageKey | undefined): Promise<ListResult> {
  const { services, request, cache, options } = reading;
  const source = await services.consistentReads.mostRecent(cache, request.call);
  return source === 'cache'
    ? listFromCache(reading, { limit: options.limit, atLeast: 0, startAfter })
    : await listStored(reading, { startAfter, atRevision: undefined });
}

interface CachePart {
  readonly limit: number;
  /** The caller made sure that no write of this type lies between the cache's revision and this one. */
  readonly atLeast: Revision;
  readonly startAfter?: StorageKey | undefined;
}

function listFromCache(reading: Reading, { limit, atLeast, startAfter }: CachePart): ListResult {
  const page = reading.cache.page({ ...cacheQueryFrom(reading), limit, startAfter });
  if (page === undefined) throw new Error('a cache has its own state');
  return resultFrom(reading, page, Math.max(page.revision, atLeast));
}

/** A list as of a revision: from the cache where it has the changes since then, else from the store. */
function listAt(
  reading: Reading,
  { startAfter, atRevision }: { readonly startAfter?: StorageKey; readonly atRevision: Revision },
): ListResult | Promise<ListResult> {
  const { limit } = reading.options;
  const page = reading.cache.page({ ...cacheQueryFrom(reading), limit, startAfter, atRevision });
  return page === undefined
    ? listStored(reading, { startAfter, atRevision })
    : resultFrom(reading, page, atRevision);
}

function cacheQueryFrom({ request, options }: Reading): CacheQuery {
  const { namespace } = request.info;
  const { labelSelector, fieldSelector } = options;
  return { namespace: namespace === '' ? undefined : namespace, labelSelector, fieldSelector };
}

/** Keys of the cache are in the order of the store: either can have the next part. */
function resultFrom({ request, options }: Reading, page: CachePage, revision: Revision): ListResult {
  const { objects: items, hasMore, remaining } = page;
  const last = items.at(-1)?.key;
  if (!hasMore || last === undefined) return { kind: 'list', items, revision };
  const prefix = collectionPrefix(request.definition, request.info.namespace);
  return {
    kind: 'list',
    items,
    revision,
    continue: encodeContinueToken({ revision, startAfter: last }, prefix),
    ...(remaining === undefined || hasSelector(options) ? {} : { remainingItemCount: remaining }),
  };
}

async function listExact(reading: Reading, revision: Revision): Promise<ListResult> {
  try {
    return await listAt(reading, { atRevision: revision });
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
  const { startAfter, revision: atRevision } = decodeContinueToken(text, prefix);
  if (atRevision === undefined) return await listMostRecent(reading, startAfter);
  try {
    return await listAt(reading, { startAfter, atRevision });
  } catch (error) {
    if (!isStorageError(error, 'compacted')) throw error;
    const fresh = encodeContinueToken({ revision: undefined, startAfter }, prefix);
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

/**
 * 410: the revision of a continue token is no longer kept. Its Status carries a fresh token with which the client
 * gets the rest as it is now.
 */
class ContinueExpired extends StatusError {
  readonly continue: string;

  constructor(token: string) {
    super({
      reason: 'Expired',
      code: 410,
      message:
        'The provided continue parameter is too old to display a consistent list result. Start a new list without it, or use the token of this answer to get the rest of the current state.',
    });
    this.name = 'ContinueExpired';
    this.continue = token;
  }

  override toStatus(): Status {
    return { ...super.toStatus(), metadata: { continue: this.continue } };
  }
}
