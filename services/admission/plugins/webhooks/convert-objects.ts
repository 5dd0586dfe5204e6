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
 * Converts objects to another version of their kind; returns the objects themselves where the versions are the same, else new ones.
 * Objects of a custom type with a conversion webhook are converted from their own apiVersion: a deleted object has the stored version.
 * Throws an internal error when the webhook fails.
 */
export type ConvertObjects = (
  objects: readonly ApiObject[],
  versions: { readonly from: ResourceDefinition; readonly to: ResourceDefinition },
  call: CallContext,
) => Promise<readonly ApiObject[]>;

/** Creates a conversion of objects; custom types are converted by the webhooks of their definitions, where they have one. */
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
