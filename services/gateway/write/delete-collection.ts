import { objectKey } from '@binnacle/api-types';
import { methodNotAllowed } from '@binnacle/status-errors';
import { type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { collectionPrefix } from '../read/collection-prefix.ts';
import { decodeContinueToken, encodeContinueToken } from '../read/continue-token.ts';
import { parseListOptions } from '../read/list-options.ts';
import { listFromStorage, type StorageList } from '../read/storage-pages.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { namespaceOf } from '../request/names.ts';
import { objectAsStored } from '../versions/version-form.ts';
import { assertDeletable, deleteObject, warnOfOrphans } from './delete.ts';
import type { CurrentObject } from './engine/current-object.ts';
import type { WriteServices } from './engine/run-write.ts';
import { type DeleteOptions, parseDeleteOptions } from './write-options.ts';

/** Objects of a collection that are deleted at a time. */
const parallelDeletions = 8;

/** DELETE on a collection: deletes every object that the selectors match; answers with the objects as they were before. */
export async function deleteCollectionVerb(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const { definition, info } = request;
  if (info.subresource !== '' || (definition.namespaced && info.namespace === '')) throw methodNotAllowed();
  const options = await parseDeleteOptions(request);
  warnOfOrphans(request, options);
  const prefix = collectionPrefix(definition, namespaceOf(request));
  const list = await listSelected(request, services, prefix);
  await deleteAll(request, services, { items: list.items, options });
  return {
    kind: 'list',
    items: list.items,
    revision: list.revision,
    ...(list.continueAfter === undefined
      ? {}
      : {
          continue: encodeContinueToken({ revision: list.revision, startAfter: list.continueAfter }, prefix),
        }),
    ...(list.remaining === undefined ? {} : { remainingItemCount: list.remaining }),
  };
}

async function listSelected(
  request: ApiRequest,
  services: WriteServices,
  prefix: StorageKey,
): Promise<StorageList> {
  const { definition, query, call } = request;
  const { labelSelector, fieldSelector, limit, version } = parseListOptions(query, definition);
  const start =
    version.kind === 'continue'
      ? decodeContinueToken(version.token, prefix)
      : { startAfter: undefined, revision: undefined };
  const wanted = {
    definition,
    prefix,
    limit,
    labelSelector,
    fieldSelector,
    startAfter: start.startAfter,
    atRevision: start.revision,
  };
  return listFromStorage(wanted, services.storage, call);
}

/** Deletes a bounded number at a time; the first failure ends it once the deletions under way have finished. */
async function deleteAll(
  request: ApiRequest,
  services: WriteServices,
  { items, options }: { readonly items: StorageList['items']; readonly options: DeleteOptions },
): Promise<void> {
  const { definition } = request;
  // A collection that holds an object which cannot be deleted is left whole.
  if (definition.rules.deletionRefusal !== undefined)
    for (const { stored, revision } of items)
      assertDeletable(definition, objectAsStored(definition, stored, revision));
  const queue = items.values();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (failed) return;
      const object = objectAsStored(definition, item.stored, item.revision);
      const { namespace = '', name = '' } = object.metadata;
      const key = storageKeyFrom(objectKey(definition, namespace, name));
      const listed: CurrentObject = {
        key,
        object,
        stored: item.stored,
        revision: item.revision,
        isIncomplete: false,
        isStale: false,
      };
      try {
        // An object that is gone by now counts as deleted.
        await deleteObject(request, services, { key, listed, options });
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: parallelDeletions }, worker));
  const failure = ends.find(end => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
