import { parseResourceVersion } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import { createObject } from './create-object.ts';
import { decodeRequestObject } from './request-object.ts';
import { parseWriteOptions } from './write-options.ts';

/** POST on a collection: creates an object under its own name, or under one generated from metadata.generateName. */
export async function createVerb(request: ApiRequest, services: GatewayServices): Promise<ApiResult> {
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const { object, warnings } = await decodeRequestObject(request, options.fieldValidation);
  request.warnings.push(...warnings);
  if (parseResourceVersion(object.metadata.resourceVersion ?? '') !== 0)
    throw badRequest('resourceVersion should not be set on objects to be created');
  return createObject(request, services, { object, options });
}
