import { parseResourceVersion } from '@binnacle/api-objects';
import { badRequest, StatusError } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { createObject } from './create-object.ts';
import { decodeRequestObject } from './request-object.ts';
import { parseWriteOptions } from './write-options.ts';
import type { WriteServices } from './write-services.ts';

/** POST on a collection: creates an object under its own name, or under one generated from metadata.generateName. */
export async function createVerb(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  if (!request.definition.verbs.includes('get')) throw notOffered(request);
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const { object, warnings } = await decodeRequestObject(request, options.fieldValidation);
  request.warnings.push(...warnings);
  if (parseResourceVersion(object.metadata.resourceVersion ?? '') !== 0)
    throw badRequest('resourceVersion should not be set on objects to be created');
  return createObject(request, services, { object, options });
}

/** What can only be created is an operation, not an object: its answer is made elsewhere, and never stored. */
function notOffered({ definition: { kind } }: ApiRequest): StatusError {
  const message = `this server does not offer the operation ${kind}`;
  return new StatusError({ reason: 'MethodNotAllowed', code: 405, message, details: {} });
}
