import { notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { deleteObject } from './delete-object.ts';
import { parseDeleteOptions } from './delete-options.ts';
import { currentToDelete, keyOfRequest } from './engine/current-object.ts';
import { warnOfOrphans } from './warn-of-orphans.ts';
import type { WriteServices } from './write-services.ts';

/** DELETE on an object: removes it, or marks it when something still holds it. */
export async function deleteVerb(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const options = await parseDeleteOptions(request);
  warnOfOrphans(request, options);
  const key = keyOfRequest(request);
  const result = await deleteObject(request, services, {
    key,
    async read() {
      const { record } = await services.storage.get(key, request.call);
      return record && currentToDelete(request.definition, record);
    },
    options,
  });
  if (result === undefined) throw notFound(resourceNameOf(request.definition), request.info.name);
  return result;
}
