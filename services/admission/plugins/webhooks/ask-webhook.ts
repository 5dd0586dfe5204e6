import { type JsonObject, validateQualifiedName } from '@binnacle/api-objects';
import { inSpan } from '@binnacle/rpc';
import { badRequest, decodeStatusError, internalError, StatusError, timeout } from '@binnacle/status-errors';
import type { AdmissionMetrics, Measured } from '../../chain/admission-metrics.ts';
import type { Review } from '../../chain/review.ts';
import type { WebhookAnswer, WriteReview } from './admission-review.ts';
import { callWebhook, WebhookFailed, type WebhookTransport } from './call-webhook.ts';
import type { Webhook } from './webhook.ts';

/** The call of one webhook for one review. */
interface Asking<T> {
  readonly phase: Measured['type'];
  readonly webhook: Webhook;
  readonly review: Review;
  readonly writeReview: WriteReview;
  /** Key of the audit annotation for a failure of the webhook that did not stop the write. */
  readonly failedOpenKey: string;
  /** Applies an answer that allows the write; throws a StatusError for an unusable one. */
  use(answer: WebhookAnswer): T | Promise<T>;
}

/** The environment of webhook calls. */
export interface AskingEnvironment {
  readonly transport: WebhookTransport;
  readonly metrics: AdmissionMetrics;
}

/**
 * Calls a webhook and applies its answer; returns undefined when it failed and its failure policy lets the write pass. Throws the
 * refusal: that of the webhook in its own words, or the one for its failure. Adds the webhook's warnings and annotations to the review.
 */
export async function askWebhook<T>(
  asking: Asking<T>,
  { transport, metrics }: AskingEnvironment,
): Promise<T | undefined> {
  const { phase, webhook, review, writeReview } = asking;
  const start = performance.now();
  let code = 500;
  try {
    const mutating = phase === 'admit';
    const { call } = review;
    const calling = { writeReview, mutating, call };
    const answer = await (call.trace?.isSampled === true
      ? callInSpan(asking, calling, transport)
      : callWebhook(webhook, calling, transport));
    noteRemarks(asking, answer);
    if (!answer.allowed) throw deniedBy(asking, answer, metrics);
    const used = await useAnswer(asking, answer, metrics);
    code = 200;
    return used;
  } catch (thrown) {
    if (thrown instanceof StatusError) code = thrown.code;
    if (!(thrown instanceof WebhookFailed)) throw thrown;
    handleFailure(asking, thrown, metrics);
    code = 200;
    return undefined;
  } finally {
    const seconds = (performance.now() - start) / 1000;
    const end = { seconds, code, rejected: code !== 200 };
    metrics.webhookCalled({ name: webhook.name, type: phase, review }, end);
  }
}

/** Calls a webhook in a span, which has the name that kube-apiserver gives it. */
function callInSpan(
  { phase, webhook, review }: Pick<Asking<unknown>, 'phase' | 'webhook' | 'review'>,
  calling: Parameters<typeof callWebhook>[1],
  transport: WebhookTransport,
): Promise<WebhookAnswer> {
  const { operation, subresource, definition } = review;
  const name = `Call ${phase === 'admit' ? 'mutating' : 'validating'} webhook`;
  const { resource } = definition;
  const { configuration, name: webhookName } = webhook;
  const attributes = { configuration, webhook: webhookName, resource, subresource, operation };
  return inSpan(calling.call, { name, attributes }, call =>
    callWebhook(webhook, { ...calling, call }, transport),
  );
}

/** Asserts that a webhook may be called in a dry run; throws BadRequest where it may have side effects. */
export function assertDryRunSupported(
  { phase, webhook, review }: Pick<Asking<unknown>, 'phase' | 'webhook' | 'review'>,
  metrics: AdmissionMetrics,
): void {
  if (!review.dryRun || webhook.supportsDryRun) return;
  const { name } = webhook;
  const errorType = 'apiserver_internal_error';
  metrics.webhookRejected({ webhook: name, type: phase, review, errorType, code: 400 });
  throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

function noteRemarks<T>({ webhook, review }: Asking<T>, { warnings, auditAnnotations }: WebhookAnswer): void {
  review.warnings.push(...warnings);
  for (const [key, value] of Object.entries(auditAnnotations)) {
    const fullKey = `${webhook.name}/${key}`;
    if (validateQualifiedName(fullKey).length === 0) review.auditAnnotations[fullKey] = value;
  }
}

function deniedBy<T>(
  { phase, webhook, review }: Asking<T>,
  { status }: WebhookAnswer,
  metrics: AdmissionMetrics,
): StatusError {
  const error = denial(webhook.name, status);
  const { code } = error;
  metrics.webhookRejected({ webhook: webhook.name, type: phase, review, errorType: 'no_error', code });
  return error;
}

/** Creates the refusal of a write that a webhook denied, with the code, reason and details that the webhook gave. */
function denial(webhook: string, status: JsonObject): StatusError {
  const { code, message } = status;
  const isErrorCode = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
  // Read as any Status is, so that only what a Status can hold goes on to the client.
  const given = decodeStatusError(Buffer.from(JSON.stringify({ ...status, code: isErrorCode ? code : 400 })));
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = typeof message === 'string' && message !== '' ? message : given.reason;
  return new StatusError({
    reason: given.reason,
    code: given.code,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    details: given.details,
  });
}

async function useAnswer<T>(asking: Asking<T>, answer: WebhookAnswer, metrics: AdmissionMetrics): Promise<T> {
  const { phase, webhook, review } = asking;
  try {
    return await asking.use(answer);
  } catch (thrown) {
    const code = thrown instanceof StatusError ? thrown.code : 500;
    const errorType = 'apiserver_internal_error';
    metrics.webhookRejected({ webhook: webhook.name, type: phase, review, errorType, code });
    throw thrown;
  }
}

/** Handles the failure of a webhook: its failure policy decides whether the write goes on. */
function handleFailure<T>(
  { phase, webhook, review, failedOpenKey }: Asking<T>,
  failure: WebhookFailed,
  metrics: AdmissionMetrics,
): void {
  const { name } = webhook;
  if (webhook.failurePolicy === 'Ignore') {
    metrics.webhookFailedOpen(name, phase);
    review.auditAnnotations[failedOpenKey] = name;
    // The request has ended, and the client no longer waits.
    if (!review.call.signal.aborted) return;
    throw timeout(`the request ended while webhook ${JSON.stringify(name)} was called; nothing was changed`);
  }
  const errorType = 'calling_webhook_error';
  metrics.webhookRejected({ webhook: name, type: phase, review, errorType, code: 500 });
  throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${failure.message}`, failure);
}
