import { type ApiObject, formatApiVersion, randomUid } from '@binnacle/api-objects';
import type { CalledService, ConversionWebhook, ResourceDefinition } from '@binnacle/api-types';
import type { CallContext, CallResponse, ServiceAddress, WebhookDispatchService } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import {
  type ConversionQuestion,
  parseConversionReview,
  writeConversionReview,
} from './conversion-review.ts';
import { convertedObject } from './converted-object.ts';

/** A version of a kind with a conversion webhook. */
export type WebhookConverted = ResourceDefinition & { readonly conversionWebhook: ConversionWebhook };

/** Whether a webhook converts the objects of a definition. */
export function isWebhookConverted(definition: ResourceDefinition): definition is WebhookConverted {
  return definition.conversionWebhook !== undefined;
}

/** One call of a conversion webhook. */
interface ConversionCall {
  /** Name of the custom resource definition. */
  readonly definition: string;
  /** API version of the first object. */
  readonly from: string;
  readonly to: string;
}

/** Services that a call of a conversion webhook uses. */
export interface ConversionCalls {
  /** Undefined: this server calls no webhooks, and these conversions fail. */
  readonly dispatch: WebhookDispatchService | undefined;
  /** Returns the address of a service; undefined if the service does not exist, or has no address for the port. */
  findAddress(
    service: CalledService,
    call: CallContext,
  ): ServiceAddress | undefined | Promise<ServiceAddress | undefined>;
  /** Notes the start of a call; returns a function for its end. */
  begin(call: ConversionCall): (succeeded: boolean) => void;
}

/** The error of a failed conversion; the message names the objects and the reason, in the words of the webhook if it gave one. */
export class ConversionFailed extends Error {}

/** Timeout of a call of a conversion webhook, in seconds. */
export const conversionTimeoutSeconds = 30;

/**
 * Calls a webhook to convert objects to the version of a definition, and removes fields that this version does not
 * define; returns the objects in the same order. Throws ConversionFailed if an object cannot be converted, and the
 * reason of the call's signal if the call ends.
 */
export async function callConversionWebhook(
  to: WebhookConverted,
  objects: readonly ApiObject[],
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<readonly ApiObject[]> {
  const { conversionWebhook: webhook, kind } = to;
  const apiVersion = formatApiVersion(to);
  const from = objects[0]?.apiVersion ?? '';
  const finished = calls.begin({ definition: webhook.name, from, to: apiVersion });
  let succeeded = false;
  try {
    const answers = await ask(webhook, { objects, desiredAPIVersion: apiVersion }, { calls, call });
    const converted = objects.map((object, index) => {
      const answer = at(index, () => convertedObject(object, answers[index] ?? {}, { apiVersion, kind }));
      to.message.structure?.prune(answer, () => {});
      return answer;
    });
    succeeded = true;
    return converted;
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    throw failed(`${from}, Kind=${kind}`, thrown);
  } finally {
    finished(succeeded);
  }
}

/** Adds the index of the object to an error. */
function at<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const why = errorMessage(thrown);
    throw new Error(`the returned object at index ${index} does not match: ${why}`);
  }
}

async function ask(
  webhook: ConversionWebhook,
  asked: Pick<ConversionQuestion, 'objects' | 'desiredAPIVersion'>,
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
) {
  const { reviewVersion, reviewGroup } = webhook;
  if (reviewVersion === undefined)
    throw new Error('none of its conversionReviewVersions is known to this server');
  const question = { ...asked, reviewVersion, reviewGroup, uid: randomUid() };
  const response = await send(webhook, await writeConversionReview(question), { calls, call });
  if (response.failure !== 'NONE') throw new Error(response.failureMessage);
  if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`);
  return await parseConversionReview(response.body, question);
}

async function send(
  webhook: ConversionWebhook,
  body: Uint8Array,
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<CallResponse> {
  const { dispatch } = calls;
  if (dispatch === undefined) throw new Error('this server has no webhook-dispatch');
  const { name: caller, url, service, caBundle } = webhook;
  const address = service && (await calls.findAddress(service, call));
  try {
    return await dispatch.call(
      {
        ...(service === undefined ? {} : { service: { ...service } }),
        ...(address === undefined ? {} : { address }),
        url,
        caBundle,
        body,
        timeoutSeconds: conversionTimeoutSeconds,
        caller,
      },
      call,
    );
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    throw new Error('webhook-dispatch is not available', { cause: thrown });
  }
}

function failed(objects: string, cause: unknown): ConversionFailed {
  const why = errorMessage(cause);
  return new ConversionFailed(`conversion webhook for ${objects} failed: ${why}`, { cause });
}
