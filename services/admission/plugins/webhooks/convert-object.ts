import { type ApiObject, apiVersionOf, copyJson } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { internalError } from '@binnacle/status-errors';

/**
 * An object of one version of its kind as one of another: the object itself where both are the same, else a new one.
 * Throws an internal error for custom types that a webhook converts: admission does not ask it.
 */
export function convertObject(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  if (from === to) return object;
  if (from.conversionWebhook !== undefined)
    throw internalError(
      `${from.resource}.${from.group} are converted by a webhook, which admission does not do for webhooks of version ${to.version}`,
    );
  const converted = copyJson(object);
  from.rules.conversion?.toStorage(converted);
  to.rules.conversion?.fromStorage(converted);
  converted.kind = to.kind;
  converted.apiVersion = apiVersionOf(to);
  to.rules.upkeep?.complete(converted);
  return converted;
}
