import { assertObjectSize, copyJson } from '@binnacle/api-objects';
import { keepEmptyLists } from '@binnacle/api-types';
import { type DecodedObject, encodingFromMediaType } from '@binnacle/codecs';
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
  const { definition, info } = request;
  const options = parseWriteOptions(request.query, 'UpdateOptions');
  const { fieldValidation } = options;
  const body = await request.body();
  const decode = () => decodeRequestObject(request, body, { fieldValidation, mayBeLarge: true });
  const decoding = decode();
  const decoded = decoding instanceof Promise ? await decoding : decoding;
  request.warnings.push(...decoded.warnings);
  assertNameMatches(request, decoded.object);
  // An attempt changes the object, so that the next one decodes it again.
  let next: DecodedObject | undefined = decoded;
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'cache', version: decoded.object.metadata.resourceVersion },
    attempt(current) {
      const replace = ({ object, isLarge = false }: DecodedObject) => {
        if (isLarge) assertObjectSize(object, 'the object', current?.object);
        if (current === undefined && definition.rules.createOnUpdate !== true)
          throw notFound(resourceNameOf(definition), info.name);
        assertSentUid(request, object, current?.object);
        if (current !== undefined && encodingFromMediaType(request.contentType) === 'protobuf')
          keepEmptyLists(definition.message, object, current.object);
        const wanted = { object, current, options, adjust, emptyResetsManagers: true };
        const build = () => changedObject(request, services, wanted);
        return current === undefined ? assertMayCreate(request, services).then(build) : build();
      };
      const sent = next ?? decode();
      next = undefined;
      return sent instanceof Promise ? sent.then(replace) : replace(sent);
    },
  });
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
