import { randomUid } from '@binnacle/api-objects';
import type { CallContext, CallResponse, WebhookDispatchService } from '@binnacle/proto';
import { parseWebhookAnswer, type WebhookAnswer } from './admission-review.ts';
import type { Webhook } from './webhook.ts';

/** A webhook that could not be asked, or whose answer is none; the message says why, for the client. */
export class WebhookFailed extends Error {}

/** Asks one webhook; throws WebhookFailed when no usable answer comes back. */
export async function callWebhook(
  webhook: Webhook,
  writeReview: (version: string, uid: string) => Buffer,
  { dispatch, call }: { readonly dispatch: WebhookDispatchService; readonly call: CallContext },
): Promise<WebhookAnswer> {
  const { reviewVersion } = webhook;
  if (reviewVersion === undefined)
    throw new WebhookFailed('none of its admissionReviewVersions is known to this server');
  const uid = randomUid();
  const response = await send(webhook, writeReview(reviewVersion, uid), { dispatch, call });
  if (response.failure !== 'NONE')
    throw new WebhookFailed(`failed to call webhook: ${response.failureMessage}`);
  if (response.status !== 200)
    throw new WebhookFailed(
      `failed to call webhook: an error on the server answered with status ${response.status}`,
    );
  try {
    return parseWebhookAnswer(response.body, reviewVersion, uid);
  } catch (thrown) {
    throw new WebhookFailed(
      `received invalid webhook response: ${thrown instanceof Error ? thrown.message : ''}`,
    );
  }
}

async function send(
  webhook: Webhook,
  body: Uint8Array,
  { dispatch, call }: { readonly dispatch: WebhookDispatchService; readonly call: CallContext },
): Promise<CallResponse> {
  const { url, service, caBundle, timeoutSeconds, name } = webhook;
  try {
    return await dispatch.call(
      { url, ...(service === undefined ? {} : { service }), caBundle, body, timeoutSeconds, caller: name },
      call,
    );
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    // The dispatcher itself is out of reach: to the policy of the webhook that is a webhook out of reach.
    throw new WebhookFailed('failed to call webhook: the way to webhooks is not available');
  }
}
