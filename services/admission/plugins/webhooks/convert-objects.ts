import { type ApiObject, completionFault, copyJson, formatApiVersion } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import {
  type ConversionCalls,
  ConversionFailed,
  callConversionWebhook,
  isWebhookConverted,
} from '@binnacle/conversion-webhooks';
import type { CallContext } from '@binnacle/proto';
import { internalError } from '@binnacle/status-errors';

/**
 * Makes objects of one version of their kind objects of another: the objects themselves where both are the same, else new
 * ones. Objects of a custom type that a webhook converts say themselves in which version they are: one that is deleted is
 * in the version that it is stored in. Throws an internal error when the webhook fails.
 */
export type ConvertObjects = (
  objects: readonly ApiObject[],
  versions: { readonly from: ResourceDefinition; readonly to: ResourceDefinition },
  call: CallContext,
) => Promise<readonly ApiObject[]>;

/** Creates a conversion; custom types are converted by the webhooks of their definitions, where they have one. */
export function createConvertObjects(calls: ConversionCalls): ConvertObjects {
  return async (objects, { from, to }, call) => {
    if (objects.length === 0) return objects;
    if (!isWebhookConverted(to))
      return from === to ? objects : objects.map(object => convertByRules(object, from, to));
    const apiVersion = formatApiVersion(to);
    if (objects.every(object => object.apiVersion === apiVersion)) return objects;
    try {
      return await callConversionWebhook(to, objects, { calls, call });
    } catch (thrown) {
      if (thrown instanceof ConversionFailed) throw internalError(thrown.message, thrown);
      throw thrown;
    }
  };
}

function convertByRules(object: ApiObject, from: ResourceDefinition, to: ResourceDefinition): ApiObject {
  const converted = copyJson(object);
  from.rules.conversion?.toStorage(converted);
  to.rules.conversion?.fromStorage(converted);
  converted.kind = to.kind;
  converted.apiVersion = formatApiVersion(to);
  completionFault(() => to.rules.migration?.complete(converted));
  return converted;
}
