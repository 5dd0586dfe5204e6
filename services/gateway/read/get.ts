import { parseResourceVersion } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import type { StoredItem } from '@binnacle/codecs';
import { notFound } from '@binnacle/status-errors';
import { findStorageKey } from '@binnacle/storage-contract';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { bufferFromBytes } from '../versions/version-form.ts';
import type { ReadSource } from './consistent-read.ts';
import type { ReadServices } from './read-services.ts';

/** Reads one object: current without a resourceVersion, else from the cache and no older than it (spec 1). */
export function get(request: ApiRequest, services: ReadServices): ApiResult | Promise<ApiResult> {
  const cache = services.watchCache.type(request.definition);
  const source = sourceFor(request, cache, services);
  return source === 'cache' ? getCached(request, cache) : getFrom(source, request, { cache, services });
}

function sourceFor(
  request: ApiRequest,
  cache: TypeCache,
  { consistentReads }: ReadServices,
): ReadSource | Promise<ReadSource> {
  const text = request.query.get('resourceVersion') ?? '';
  if (text === '') return consistentReads.mostRecent(cache, request.call);
  return consistentReads.notOlderThan(cache, parseResourceVersion(text), request.call);
}

async function getFrom(
  source: ReadSource | Promise<ReadSource>,
  request: ApiRequest,
  { cache, services }: { readonly cache: TypeCache; readonly services: ReadServices },
): Promise<ApiResult> {
  if ((await source) === 'cache') return getCached(request, cache);
  return answer(request, await read(request, services));
}

function getCached(request: ApiRequest, cache: TypeCache): ApiResult {
  return answer(request, cache.get(request.info.namespace, request.info.name));
}

function answer(
  { definition, info }: ApiRequest,
  found: Pick<StoredItem, 'stored' | 'revision'> | undefined,
): ApiResult {
  if (found === undefined) throw notFound(definition, info.name);
  return { kind: 'stored', code: 200, stored: found.stored, revision: found.revision };
}

async function read({ definition, info, call }: ApiRequest, { storage }: ReadServices) {
  const key = findStorageKey(objectKey(definition, info.namespace, info.name));
  const record = key && (await storage.get(key, call)).record;
  return record === undefined
    ? undefined
    : { stored: bufferFromBytes(record.value), revision: record.revision };
}
