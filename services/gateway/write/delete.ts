import { notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import { readCurrent } from './current-object.ts';
import { deleteObject } from './delete-object.ts';
import { parseDeleteOptions } from './delete-options.ts';
import { resourceNameOf } from './names.ts';
import { warnOfOrphans } from './warn-of-orphans.ts';

/** DELETE on an object: removes it, or marks it when something still holds it. */
export async function deleteVerb(request: ApiRequest, services: GatewayServices): Promise<ApiResult> {
  const options = await parseDeleteOptions(request);
  warnOfOrphans(request, options);
  const current = await readCurrent(request, services);
  const result = current && (await deleteObject(request, services, { current, options }));
  if (result === undefined) throw notFound(resourceNameOf(request.definition), request.info.name);
  return result;
}
