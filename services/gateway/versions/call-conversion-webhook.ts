import { type ApiObject, apiVersionOf, randomUid } from '@binnacle/api-objects';
import type { ConversionWebhook, ResourceDefinition } from '@binnacle/api-types';
import type { CallContext, CallResponse, WebhookDispatchService } from '@binnacle/proto';
import { StatusError } from '@binnacle/status-errors';
import type { ConversionMetrics } from './conversion-metrics.ts';
import {
  type ConversionQuestion,
  parseConversionReview,
  writeConversionReview,
} from './conversion-review.ts';
import { convertedObject } from './converted-object.ts';
import type { WebhookAddresses } from './webhook-addresses.ts';

/** What conversion webhooks are called with. */
export interface ConversionCalls {
  /** Undefined: this server calls no webhooks, and such a conversion fails. */
  readonly dispatch: WebhookDispatchService | undefined;
  readonly addressOf: WebhookAddresses;
  readonly metrics: ConversionMetrics;
}

/** The longest that a webhook may take for one call. */
export const conversionTimeoutSeconds = 30;

/**
 * Has a webhook convert objects, each from the version that it says, to that of a definition, without what that version
 * does not know; they come back in their order. Throws a StatusError of code 500 and without a reason when one of them
 * cannot be converted.
 */
export async function callConversionWebhook(
  to: ResourceDefinition & { readonly conversionWebhook: ConversionWebhook },
  objects: readonly ApiObject[],
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<readonly ApiObject[]> {
  const { conversionWebhook: webhook, kind } = to;
  const apiVersion = apiVersionOf(to);
  const from = objects[0]?.apiVersion ?? '';
  const finished = calls.metrics.begin({ definition: webhook.name, from, to: apiVersion });
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
    if (thrown instanceof StatusError || call.signal.aborted) throw thrown;
    throw failed(webhook, { from, kind, to: apiVersion }, thrown);
  } finally {
    finished(succeeded);
  }
}

/** Says of which object it is what is wrong with one of them. */
function at<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`the object that came back at index ${index} is none that was asked for: ${why}`);
  }
}

async function ask(
  webhook: ConversionWebhook,
  asked: Pick<ConversionQuestion, 'objects' | 'desiredAPIVersion'>,
  { calls, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
) {
  const { reviewVersion } = webhook;
  if (reviewVersion === undefined)
    throw new Error('none of its conversionReviewVersions is known to this server');
  const question = { ...asked, reviewVersion, uid: randomUid() };
  const response = await send(webhook, writeConversionReview(question), { calls, call });
  if (response.failure !== 'NONE') throw new Error(response.failureMessage);
  if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`);
  return parseConversionReview(response.body, question);
}

async function send(
  webhook: ConversionWebhook,
  body: Uint8Array,
  { calls: { dispatch, addressOf }, call }: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<CallResponse> {
  if (dispatch === undefined) throw new Error('this server has no way to webhooks');
  const { name: caller, url, service, caBundle } = webhook;
  const address = service && addressOf(service);
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
    throw new Error('the way to webhooks is not available', { cause: thrown });
  }
}

function failed(
  { name }: ConversionWebhook,
  { from, kind, to }: { readonly from: string; readonly kind: string; readonly to: string },
  cause: unknown,
): StatusError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `the conversion webhook of ${name} failed for ${from}, Kind=${kind} (to ${to}): ${why}`;
  return new StatusError({ reason: '', code: 500, message, details: {}, cause });
}
