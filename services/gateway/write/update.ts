import {
  type ApiObject,
  assertObjectSize,
  copyJson,
  copyJsonSteps,
  type JsonObject,
} from '@binnacle/api-objects';
import { keepEmptyLists } from '@binnacle/api-types';
import { encodingOf } from '@binnacle/codecs';
import { isLong, runInSlices } from '@binnacle/event-loop';
import { notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { type Adjustment, noAdjustment } from './adjustment.ts';
import { authorizeCreate } from './authorize-create.ts';
import type { NewObject } from './create-object.ts';
import { assertNameMatches, assertSentUid, decodeRequestObject } from './request-object.ts';
import { updateObject } from './update-object.ts';
import { parseWriteOptions } from './write-options.ts';
import type { UpdateServices } from './write-services.ts';

/** PUT on an object or its status: replaces it; creates it where the kind permits that and the user may. */
export async function updateVerb(
  request: ApiRequest,
  services: UpdateServices,
  adjust: Adjustment = noAdjustment,
): Promise<ApiResult> {
  const options = parseWriteOptions(request.query, 'UpdateOptions');
  const decoded = await decodeRequestObject(request, options.fieldValidation, true);
  const { object, warnings, isLarge = false } = decoded;
  request.warnings.push(...warnings);
  assertNameMatches(request, object);
  return await updateObject(request, services, {
    options,
    mayUseCache: true,
    version: object.metadata.resourceVersion,
    emptyResetsManagers: true,
    async next(current) {
      if (isLarge) assertObjectSize(object, 'the object', current.object);
      assertSentUid(request, object, current.object);
      // An attempt changes it.
      const next = isLong(request.notes.workBytes) ? await longCopy(object) : copyJson(object);
      if (encodingOf(request.contentType) === 'protobuf')
        keepEmptyLists(request.definition.message, next, current.object);
      adjust(next, current.object, services.clock());
      return { object: next, warnings: [] };
    },
    whenMissing: async () => {
      if (isLarge) assertObjectSize(object);
      return await createInstead(request, services, object);
    },
  });
}

async function longCopy(object: ApiObject): Promise<ApiObject> {
  return (await runInSlices(copyJsonSteps(object as JsonObject))) as ApiObject; // a copy of it
}

async function createInstead(
  request: ApiRequest,
  services: UpdateServices,
  object: ApiObject,
): Promise<NewObject> {
  const { definition, info } = request;
  if (definition.rules.createOnUpdate !== true) throw notFound(resourceNameOf(definition), info.name);
  assertSentUid(request, object, undefined);
  await authorizeCreate(request, services);
  return { object: copyJson(object) };
}
