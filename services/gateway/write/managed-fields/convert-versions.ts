import { type ApiObject, apiVersionOf, copyJson, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import {
  ConversionFailed,
  type ResourceDefinition,
  type TypeRegistry,
  type WebhookConverted,
} from '@binnacle/api-types';
import { type Converting, convertedInTime, type WantedConversion } from '@binnacle/server-side-apply';
import { StatusError } from '@binnacle/status-errors';
import type { ApiRequest } from '../../request/api-request.ts';
import { restBetweenSteps } from '../../request/rest-between-steps.ts';
import { isWebhookConverted } from '../../versions/converted-bytes.ts';
import type { WebhookConversions } from '../../versions/webhook-conversions.ts';
import { servedVersion } from './kind-versions.ts';

/** What objects are converted between versions with. */
export interface ConversionServices {
  readonly conversions: WebhookConversions;
  readonly registry: TypeRegistry;
}

/** What webhooks converted for a request, by the version and the object: attempts and steps of one write ask for the same. */
const known = new WeakMap<ApiRequest, Map<string, JsonObject>>();

/**
 * Does work on managed fields that may need an object in other versions of its resource, which a webhook may have to
 * convert. Throws a StatusError when that fails; isConversionFailure tells it from others. With `metadataAlone` no webhook is
 * asked: the work sees the metadata alone of what one would have to convert.
 */
export function withConversions<T>(
  request: ApiRequest,
  services: ConversionServices,
  { work, metadataAlone = false }: { readonly work: Converting<T>; readonly metadataAlone?: boolean },
): T | Promise<T> {
  const convert = async ({ object, from, to }: WantedConversion) => {
    const source = servedVersion(request.definition, services.registry, from);
    const target = servedVersion(request.definition, services.registry, to);
    if (source === undefined || target === undefined || !isJsonObject(object)) return object;
    if (!isWebhookConverted(target)) return converted(object, source, target);
    const { metadata = {} } = object;
    if (metadataAlone) return { apiVersion: apiVersionOf(target), kind: target.kind, metadata };
    const whole = { ...object, apiVersion: apiVersionOf(source), kind: source.kind };
    return await convertedByWebhook(request, services, { object: whole, target });
  };
  return convertedInTime(work, { convert, rest: () => restBetweenSteps(request) });
}

/** Whether what was thrown says that a webhook could not convert an object. */
export function isConversionFailure(thrown: unknown): boolean {
  return thrown instanceof StatusError && thrown.cause instanceof ConversionFailed;
}

async function convertedByWebhook(
  request: ApiRequest,
  { conversions }: ConversionServices,
  { object, target }: { readonly object: JsonObject; readonly target: WebhookConverted },
): Promise<JsonObject> {
  const made = known.get(request) ?? new Map<string, JsonObject>();
  known.set(request, made);
  const key = `${target.version} ${JSON.stringify(object)}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const after = await conversions.convert(target, object, request.call);
  made.set(key, after);
  return after;
}

/** A copy of an object, parts of which may be missing, in another version of its resource. */
function converted(object: JsonObject, from: ResourceDefinition, to: ResourceDefinition): JsonObject {
  const copy = copyJson(object) as ApiObject; // conversions look for no more than the metadata
  copy.metadata ??= {};
  if (from.storage !== undefined) from.rules.conversion?.toStorage(copy);
  if (to.storage !== undefined) to.rules.conversion?.fromStorage(copy);
  copy.apiVersion = apiVersionOf(to);
  copy.kind = to.kind;
  return copy;
}
