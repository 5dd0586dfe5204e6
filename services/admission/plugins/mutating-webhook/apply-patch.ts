import {
  type ApiObject,
  apiVersionOf,
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import { applyDefaults, type ResourceDefinition, type TypeRegistry } from '@binnacle/api-types';
import { type BodyDefinition, checkObject } from '@binnacle/codecs';
import { applyJsonPatch } from '@binnacle/patching';
import { internalError, StatusError } from '@binnacle/status-errors';
import { isOfOwnKind, type Review } from '../../chain/review.ts';
import { convertObject } from '../webhooks/convert-object.ts';
import { settleObject } from './settle-object.ts';

/** A patch from a webhook. */
export interface WebhookPatch {
  /** Name of the webhook. */
  readonly webhook: string;
  readonly operations: readonly JsonValue[];
  /** The version and group in which the webhook saw the resource. */
  readonly definition: ResourceDefinition;
}

/**
 * Applies a webhook's patch to the object of a review and tells whether that changed it. The result is read as its kind:
 * unknown fields are dropped, defaults filled in, and what only the server sets is as it was. Throws an internal error for
 * a patch that cannot be applied or whose result is no object of the kind; what `settleObject` refuses; rules of the kind
 * come later.
 */
export function applyWebhookPatch(
  review: Review,
  { webhook, operations, definition }: WebhookPatch,
  registry: Pick<TypeRegistry, 'message'>,
): boolean {
  const { object } = review;
  if (object === undefined)
    throw internalError(
      `admission webhook ${JSON.stringify(webhook)} answered with a patch, but ${review.operation} has no object to change`,
    );
  const ownKind = isOfOwnKind(review);
  const seen = ownKind ? convertObject(object, review.definition, definition) : object;
  const patched = readPatched(webhook, () => {
    const value = applyJsonPatch(seen, [...operations]);
    return ownKind ? checked(definition, value) : readOtherKind(review, value, registry);
  });
  if (ownKind) {
    applyDefaults(definition, patched);
    review.object = convertObject(patched, definition, review.definition);
    settleObject(review, review.object, object);
  } else {
    review.object = patched;
  }
  return !equalJson(review.object, object);
}

/** What is wrong with a webhook's patch is no fault of the client's request. */
function readPatched(webhook: string, read: () => ApiObject): ApiObject {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof StatusError)) throw thrown;
    throw internalError(
      `the patch of admission webhook ${JSON.stringify(webhook)} cannot be used: ${thrown.message}`,
      thrown,
    );
  }
}

function checked(definition: BodyDefinition, value: JsonValue): ApiObject {
  return checkObject(definition, value, 'Ignore').object;
}

/** Kinds of subresources are read by their messages; options of connections, which have none, as they are. */
function readOtherKind(
  { kind }: Review,
  value: JsonValue,
  registry: Pick<TypeRegistry, 'message'>,
): ApiObject {
  const group = kind.group === '' ? 'core' : (kind.group.split('.', 1)[0] ?? '');
  const message = registry.message(`cluster.io.api.${group}.${kind.version}.${kind.kind}`);
  if (message !== undefined) return checked({ ...kind, message }, value);
  if (isOptions(value) && value.kind === kind.kind && value.apiVersion === apiVersionOf(kind)) return value;
  throw internalError(`the result is not of kind ${kind.kind}`);
}

function isOptions(value: JsonValue): value is JsonObject & ApiObject {
  return isJsonObject(value) && isJsonObject(value['metadata']);
}
