import { parseResourceVersion } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import { notFound } from '@binnacle/status-errors';
import { findStorageKey } from '@binnacle/storage-contract';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { ReadSource } from './consistent-read.ts';
import type { ReadServices } from './read-services.ts';
import { bufferOf } from './storage-pages.ts';

/** Reads one object: current without a resourceVersion, else from the cache and no older than it (spec 1). */
export async function get(request: ApiRequest, services: ReadServices): Promise<ApiResult> {
  const { definition, info } = request;
  const cache = services.watchCache.type(definition);
  const source = await sourceFor(request, cache, services);
  const found = source === 'cache' ? cache.get(info.namespace, info.name) : await read(request, services);
  if (found === undefined) throw notFound(definition, info.name);
  return { kind: 'stored', code: 200, stored: found.stored, revision: found.revision };
}

async function sourceFor(request: ApiRequest, cache: TypeCache, services: ReadServices): Promise<ReadSource> {
  const text = request.query.get('resourceVersion') ?? '';
  if (text === '') return await services.consistentReads.mostRecent(cache, request.call);
  const revision = parseResourceVersion(text);
  return await services.consistentReads.notOlderThan(cache, revision, request.call);
}

async function read({ definition, info, call }: ApiRequest, { storage }: ReadServices) {
  const key = findStorageKey(objectKey(definition, info.namespace, info.name));
  const record = key && (await storage.get(key, call)).record;
  return record === undefined ? undefined : { stored: bufferOf(record.value), revision: record.revision };
}
