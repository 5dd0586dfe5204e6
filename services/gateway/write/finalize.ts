import { copyJson } from '@binnacle/api-objects';
import { notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { assertNameMatches, assertSentUid, decodeRequestObject } from './request-object.ts';
import { updateObject } from './update-object.ts';
import { parseWriteOptions } from './write-options.ts';
import type { UpdateServices } from './write-services.ts';

/** PUT on `namespaces/<name>/finalize`: replaces spec.finalizers; a terminating namespace without any is removed. */
export async function finalizeVerb(request: ApiRequest, services: UpdateServices): Promise<ApiResult> {
  const options = parseWriteOptions(request.query, 'UpdateOptions');
  const { object, warnings } = await decodeRequestObject(request, options.fieldValidation);
  request.warnings.push(...warnings);
  assertNameMatches(request, object);
  return updateObject(request, services, {
    options,
    mayUseCache: false,
    async next(current) {
      assertSentUid(request, object, current.object);
      return {
        object: {
          ...copyJson(current.object),
          metadata: copyJson(object.metadata),
          spec: copyJson(object['spec'] ?? {}),
        },
        warnings: [],
      };
    },
    whenMissing: async () => {
      throw notFound(resourceNameOf(request.definition), request.info.name);
    },
  });
}
