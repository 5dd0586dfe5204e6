import {
  type ApiObject,
  equalJsonSteps,
  formatApiVersion,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import { type AliasNames, applyDefaults, applyFieldDefaults, type TypeRegistry } from '@binnacle/api-types';
import { type BodyDefinition, checkObject } from '@binnacle/codecs';
import { runInSlices, yieldAfterStep } from '@binnacle/event-loop';
import { jsonPatchSteps } from '@binnacle/patching';
import { internalError, StatusError } from '@binnacle/status-errors';
import { isOfOwnKind, type Review, replaceObject } from '../../chain/review.ts';
import { shownObject } from '../../chain/shown-names.ts';
import type { ReviewView } from '../webhooks/admission-review.ts';
import type { ConvertObjects } from '../webhooks/convert-objects.ts';
import { settleObject } from './settle-object.ts';

/** A patch from a webhook. */
interface WebhookPatch {
  /** Name of the webhook. */
  readonly webhook: string;
  readonly operations: readonly JsonValue[];
  /** The view in which the webhook saw the review. */
  readonly view: ReviewView;
}

/** Options of applying a patch. */
interface PatchOptions {
  readonly convert: ConvertObjects;
  readonly registry: Pick<TypeRegistry, 'message'>;
}

/**
 * Applies a webhook's patch to the object of a review as the webhook saw it; returns whether that changed it. The result is parsed
 * as its kind, in either vocabulary: unknown fields are dropped, defaults filled in, and the fields that only the server sets restored.
 * Throws an internal error for a patch that cannot be applied or whose result is no object of the kind, and the refusals of
 * `settleObject`. The rules of the kind are checked later.
 */
export async function applyWebhookPatch(
  review: Review,
  { webhook, operations, view: { definition, names } }: WebhookPatch,
  { convert, registry }: PatchOptions,
): Promise<boolean> {
  const { object: before, definition: requested, call } = review;
  if (before === undefined)
    throw internalError(
      `admission webhook ${JSON.stringify(webhook)} answered with a patch, but ${review.operation} has no object to change`,
    );
  const patch = async (object: ApiObject, kindNames?: AliasNames): Promise<JsonValue> => {
    const shown = shownObject(object, kindNames, names);
    const patched = await runInSlices(jsonPatchSteps(shown, [...operations]));
    return kindNames !== undefined && isJsonObject(patched) ? kindNames.fromAlias(patched) : patched;
  };
  const { bytes } = review;
  await yieldAfterStep(bytes);
  if (isOfOwnKind(review)) {
    const [seen = before] = await convert([before], { from: requested, to: definition }, call);
    const patched = await readPatched(webhook, async () => {
      const value = await patch(seen, definition.rules.aliasNames);
      await yieldAfterStep(bytes);
      return checked(definition, value, seen);
    });
    await yieldAfterStep(bytes);
    applyDefaults(definition, patched, review.oldObject);
    const [changed = patched] = await convert([patched], { from: definition, to: requested }, call);
    await yieldAfterStep(bytes);
    settleObject(review, changed, before);
    replaceObject(review, changed);
  } else {
    const changed = await readPatched(webhook, async () =>
      readOtherKind(review, await patch(before), registry),
    );
    replaceObject(review, changed);
  }
  await yieldAfterStep(bytes);
  const after = review.object as JsonObject; // set above
  return !(await runInSlices(equalJsonSteps(after, before as JsonObject)));
}

/** Reads a patched object; turns its faults into internal errors, since the client's request did not cause them. */
async function readPatched(webhook: string, read: () => Promise<ApiObject>): Promise<ApiObject> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof StatusError)) throw thrown;
    throw internalError(
      `the patch of admission webhook ${JSON.stringify(webhook)} cannot be used: ${thrown.message}`,
      thrown,
    );
  }
}

function checked(definition: BodyDefinition, value: JsonValue, before?: ApiObject): ApiObject {
  return checkObject(definition, value, 'Ignore', before).object;
}

/** Reads a kind of a subresource by its message; connection options have no message and stay as they are. */
function readOtherKind(
  { kind }: Review,
  value: JsonValue,
  registry: Pick<TypeRegistry, 'message'>,
): ApiObject {
  const group = kind.group === '' ? 'core' : (kind.group.split('.', 1)[0] ?? '');
  const message = registry.message(`${group}.${kind.version}.${kind.kind}`);
  if (message !== undefined) {
    const object = checked({ ...kind, message }, value);
    applyFieldDefaults(message, object);
    return object;
  }
  if (isOptions(value) && value.kind === kind.kind && value.apiVersion === formatApiVersion(kind))
    return value;
  throw internalError(`the result is not of kind ${kind.kind}`);
}

function isOptions(value: JsonValue): value is JsonObject & ApiObject {
  return isJsonObject(value) && isJsonObject(value['metadata']);
}
