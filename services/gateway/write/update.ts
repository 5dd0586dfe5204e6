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
import { type Adjustment, changedObject } from './changed-object.ts';
import { assertMayCreate } from './create.ts';
import { runWrite, type WriteServices } from './engine/run-write.ts';
import { assertNameMatches, assertSentUid, decodeRequestObject } from './request-object.ts';
import { parseWriteOptions } from './write-options.ts';

/** PUT on an object or its status: replaces it; creates it where the kind permits that and the user may. */
export async function updateVerb(
  request: ApiRequest,
  services: WriteServices,
  adjust?: Adjustment,
): Promise<ApiResult> {
  const { definition, info, notes } = request;
  const options = parseWriteOptions(request.query, 'UpdateOptions');
  const { fieldValidation } = options;
  const decoding = decodeRequestObject(request, await request.body(), { fieldValidation, mayBeLarge: true });
  const { object: sent, warnings, isLarge = false } = decoding instanceof Promise ? await decoding : decoding;
  request.warnings.push(...warnings);
  assertNameMatches(request, sent);
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'cache', version: sent.metadata.resourceVersion },
    attempt(current) {
      if (isLarge) assertObjectSize(sent, 'the object', current?.object);
      if (current === undefined && definition.rules.createOnUpdate !== true)
        throw notFound(resourceNameOf(definition), info.name);
      assertSentUid(request, sent, current?.object);
      const replace = (object: ApiObject) => {
        if (current !== undefined && encodingOf(request.contentType) === 'protobuf')
          keepEmptyLists(definition.message, object, current.object);
        const wanted = { object, current, options, adjust, emptyResetsManagers: true };
        return changedObject(request, services, wanted);
      };
      // The builder changes it, and another attempt needs it as it was sent.
      const build = () => (isLong(notes.workBytes) ? longCopy(sent).then(replace) : replace(copyJson(sent)));
      return current === undefined ? assertMayCreate(request, services).then(build) : build();
    },
  });
}

async function longCopy(object: ApiObject): Promise<ApiObject> {
  return (await runInSlices(copyJsonSteps(object as JsonObject))) as ApiObject; // a copy of it
}

/** PUT on `namespaces/<name>/finalize`: replaces spec.finalizers; a terminating namespace without any is removed. */
export async function finalizeVerb(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const options = parseWriteOptions(request.query, 'UpdateOptions');
  const { object: sent, warnings } = await decodeRequestObject(request, await request.body(), options);
  request.warnings.push(...warnings);
  assertNameMatches(request, sent);
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'store' },
    async attempt(current) {
      if (current === undefined) throw notFound(resourceNameOf(request.definition), request.info.name);
      assertSentUid(request, sent, current.object);
      const object = {
        ...copyJson(current.object),
        metadata: copyJson(sent.metadata),
        spec: copyJson(sent['spec'] ?? {}),
      };
      return await changedObject(request, services, { object, current, options });
    },
  });
}
