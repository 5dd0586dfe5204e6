import { validateQualifiedName } from '@binnacle/api-objects';
import type { WebhookDispatchService } from '@binnacle/proto';
import { badRequest, internalError, StatusError } from '@binnacle/status-errors';
import type { AdmissionMetrics } from '../../admission-metrics.ts';
import type { AdmissionPlugin } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import type { NamespaceSource } from '../../sources/namespaces.ts';
import { createReviewWriter, type WebhookAnswer } from './admission-review.ts';
import { callWebhook, WebhookFailed } from './call-webhook.ts';
import { denial } from './denial.ts';
import { matchesRules } from './matches-rules.ts';
import { matchesSelectors } from './matches-selectors.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookSource } from './webhook-source.ts';

/** What the plugin works with. */
export interface ValidatingWebhookOptions {
  /** Resolves once the configurations are known. */
  readonly ready: (review: Review) => Promise<void>;
  readonly webhooks: WebhookSource;
  readonly namespaces: NamespaceSource;
  readonly dispatch: WebhookDispatchService;
  readonly metrics: AdmissionMetrics;
}

/**
 * ValidatingAdmissionWebhook: asks every webhook that matches, all at once, once all changes are made. Any denial
 * refuses the write; of several, the first in the order of the configurations is told.
 */
export function createValidatingWebhooks(options: ValidatingWebhookOptions): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    async validate(review) {
      if (isWebhookConfiguration(review)) return;
      await options.ready(review);
      const matching = await matchingWebhooks(review, options);
      if (matching.length === 0) return;
      assertDryRunSupported(matching, review, options.metrics);
      const writeReview = createReviewWriter(review);
      const start = performance.now();
      const ends = await Promise.allSettled(
        matching.map((webhook, index) => askWebhook({ webhook, index, review, writeReview }, options)),
      );
      review.webhookSeconds += (performance.now() - start) / 1000;
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** Webhooks have no say over webhooks: else a broken one could not be removed. */
function isWebhookConfiguration({ definition: { group, resource } }: Review): boolean {
  return (
    group === 'admissionregistration.cluster.io' &&
    (resource === 'validatingwebhookconfigurations' || resource === 'mutatingwebhookconfigurations')
  );
}

async function matchingWebhooks(
  review: Review,
  { webhooks, namespaces }: ValidatingWebhookOptions,
): Promise<readonly Webhook[]> {
  const byRules = webhooks().filter(webhook => matchesRules(webhook.rules, review));
  const matched = await Promise.all(byRules.map(webhook => matchesSelectors(webhook, review, namespaces)));
  return byRules.filter((_, index) => matched[index]);
}

function assertDryRunSupported(
  matching: readonly Webhook[],
  review: Review,
  metrics: AdmissionMetrics,
): void {
  const unsafe = review.dryRun ? matching.find(webhook => !webhook.supportsDryRun) : undefined;
  if (unsafe === undefined) return;
  metrics.webhookRejected({ webhook: unsafe.name, review, errorType: 'apiserver_internal_error', code: 400 });
  throw badRequest(`admission webhook ${JSON.stringify(unsafe.name)} does not support dry run`);
}

interface Ask {
  readonly webhook: Webhook;
  /** Its place among the webhooks that match. */
  readonly index: number;
  readonly review: Review;
  readonly writeReview: (version: string, uid: string) => Buffer;
}

async function askWebhook(ask: Ask, { dispatch, metrics }: ValidatingWebhookOptions): Promise<void> {
  const { webhook, review, writeReview } = ask;
  const start = performance.now();
  let code = 500;
  try {
    const answer = await callWebhook(webhook, writeReview, { dispatch, call: review.call });
    noteRemarks(ask, answer);
    if (!answer.allowed) throw deniedBy(ask, answer, metrics);
    code = 200;
  } catch (thrown) {
    if (thrown instanceof StatusError) code = thrown.code;
    if (!(thrown instanceof WebhookFailed)) throw thrown;
    handleFailure(ask, thrown, metrics);
    code = 200;
  } finally {
    const seconds = (performance.now() - start) / 1000;
    const end = { seconds, code, rejected: code !== 200 };
    metrics.webhookCalled({ name: webhook.name, type: 'validate', review }, end);
  }
}

function noteRemarks({ webhook, review }: Ask, { warnings, auditAnnotations }: WebhookAnswer): void {
  review.warnings.push(...warnings);
  for (const [key, value] of Object.entries(auditAnnotations)) {
    const fullKey = `${webhook.name}/${key}`;
    if (validateQualifiedName(fullKey).length === 0) review.auditAnnotations[fullKey] = value;
  }
}

function deniedBy(
  { webhook, review }: Ask,
  { status }: WebhookAnswer,
  metrics: AdmissionMetrics,
): StatusError {
  const error = denial(webhook.name, status);
  metrics.webhookRejected({ webhook: webhook.name, review, errorType: 'no_error', code: error.code });
  return error;
}

/** The webhook's policy decides: the write goes on, or fails. */
function handleFailure(
  { webhook, index, review }: Ask,
  failure: WebhookFailed,
  metrics: AdmissionMetrics,
): void {
  if (webhook.failurePolicy === 'Ignore') {
    metrics.webhookFailedOpen(webhook.name);
    const key = `failed-open.validating.webhook.admission.cluster.io/round_0_index_${index}`;
    review.auditAnnotations[key] = webhook.name;
    return;
  }
  metrics.webhookRejected({ webhook: webhook.name, review, errorType: 'calling_webhook_error', code: 500 });
  throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${failure.message}`, failure);
}
