import { groups } from '@binnacle/api-names';
import { randomUid } from '@binnacle/api-objects';
import type { CallContext, CallResponse, WebhookDispatchService } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import { parseWebhookAnswer, type WebhookAnswer, type WriteReview } from './admission-review.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookCredentials } from './webhook-credentials.ts';

/** The failure of a webhook: unreachable, or without a valid answer. The message says why, for the client. */
export class WebhookFailed extends Error {}

/** Transport of webhook calls: addresses of services, credentials, and the dispatcher. */
export interface WebhookTransport {
  readonly dispatch: WebhookDispatchService;
  readonly services: ServiceAddresses;
  readonly credentials: WebhookCredentials;
}

/** One request to a webhook. */
interface WebhookQuestion {
  readonly writeReview: WriteReview;
  /** Whether the webhook may change the object. */
  readonly mutating: boolean;
  readonly call: CallContext;
}

/** Calls one webhook; throws WebhookFailed when there is no valid answer. */
export async function callWebhook(
  webhook: Webhook,
  { writeReview, mutating, call }: WebhookQuestion,
  transport: WebhookTransport,
): Promise<WebhookAnswer> {
  const { reviewVersion: version, names } = webhook;
  if (version === undefined)
    throw new WebhookFailed('none of its admissionReviewVersions is known to this server');
  const uid = randomUid();
  const response = await send(webhook, { transport, call, body: writeReview(version, uid) });
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
  {
    transport,
    call,
    body,
  }: { readonly transport: WebhookTransport; readonly call: CallContext; readonly body: Uint8Array },
): Promise<CallResponse> {
  const { url, service, caBundle, timeoutSeconds, name } = webhook;
  const address = service && (await transport.services.find(service, call));
  const credentials = transport.credentials(webhook);
  try {
    return await transport.dispatch.call(
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
    // For the failure policy an unreachable dispatcher is an unreachable webhook.
    throw new WebhookFailed('failed to call webhook: webhook-dispatch is not available');
  }
}
