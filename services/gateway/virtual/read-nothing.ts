import { methodNotAllowed, notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../pipeline/api-request.ts';

/**
 * Reads a resource that can be read and is not stored: component statuses. Components are not watched over by this
 * server, so that there are none; each answers for itself under /livez and /readyz.
 */
export function readNothing({ definition, info }: ApiRequest): ApiResult {
  if (!definition.verbs.some(verb => verb === info.verb)) throw methodNotAllowed();
  if (info.verb === 'get') throw notFound(definition, info.name);
  return { kind: 'list', items: [], revision: 0 };
}
