import { groups } from '@binnacle/api-names';
import { randomUid } from '@binnacle/api-objects';
import type { CallContext, CallResponse, WebhookDispatchService } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import { parseWebhookAnswer, type WebhookAnswer, type WriteReview } from './admission-review.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookCredentials } from './webhook-credentials.ts';

/** A webhook that could not be asked, or whose answer is none; the message says why, for the client. */
export class WebhookFailed extends Error {}

/** The ways to webhooks. */
export interface WebhookWays {
  readonly dispatch: WebhookDispatchService;
  readonly services: ServiceAddresses;
  readonly credentials: WebhookCredentials;
}

/** One question to a webhook. */
interface WebhookQuestion {
  readonly writeReview: WriteReview;
  /** Whether the webhook may change the object. */
  readonly mutating: boolean;
  readonly call: CallContext;
}

/** Asks one webhook; throws WebhookFailed when no usable answer comes back. */
export async function callWebhook(
  webhook: Webhook,
  { writeReview, mutating, call }: WebhookQuestion,
  ways: WebhookWays,
): Promise<WebhookAnswer> {
  const { reviewVersion: version, names } = webhook;
  if (version === undefined)
    throw new WebhookFailed('none of its admissionReviewVersions is known to this server');
  const uid = randomUid();
  const response = await send(webhook, { ways, call, body: writeReview(version, uid) });
  if (response.failure !== 'NONE')
    throw new WebhookFailed(`failed to call webhook: ${response.failureMessage}`);
  if (response.status !== 200)
    throw new WebhookFailed(
      `failed to call webhook: an error on the server answered with status ${response.status}`,
    );
  try {
    return await parseWebhookAnswer(response.body, {
      group: names.groupName(groups.admission),
      version,
      uid,
      mutating,
    });
  } catch (thrown) {
    throw new WebhookFailed(`received invalid webhook response: ${errorMessage(thrown)}`);
  }
}

async function send(
  webhook: Webhook,
  { ways, call, body }: { readonly ways: WebhookWays; readonly call: CallContext; readonly body: Uint8Array },
): Promise<CallResponse> {
  const { url, service, caBundle, timeoutSeconds, name } = webhook;
  const address = service && (await ways.services.find(service, call));
  const credentials = ways.credentials(webhook);
  try {
    return await ways.dispatch.call(
      {
        url,
        ...(service && { service }),
        ...(address && { address }),
        ...(credentials && { credentials }),
        caBundle,
        body,
        timeoutSeconds,
        caller: name,
      },
      call,
    );
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    // The dispatcher itself is out of reach: to the policy of the webhook that is a webhook out of reach.
    throw new WebhookFailed('failed to call webhook: webhook-dispatch is not available');
  }
}
