import { auditKeys } from '@binnacle/api-names';
import type { AdmissionPlugin } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import { createReviewWriter, type WriteReview } from '../webhooks/admission-review.ts';
import { askWebhook, assertDryRunSupported } from '../webhooks/ask-webhook.ts';
import { type Invocation, invocationFor, isWebhookConfiguration } from '../webhooks/invocation.ts';
import { matchesSelectors } from '../webhooks/matches-selectors.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookPluginOptions } from '../webhooks/webhook-plugin-options.ts';

/**
 * ValidatingAdmissionWebhook: calls all matching webhooks at once, after all changes. Any denial refuses the write; of several, the
 * first in the order of the configurations is reported.
 */
export function createValidatingWebhooks(options: WebhookPluginOptions): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    validate(review) {
      if (isWebhookConfiguration(review)) return;
      const waiting = options.ready(review);
      if (waiting === undefined && options.webhooks(review).length === 0) return;
      return askAll(review, waiting);
    },
  };

  async function askAll(review: Review, waiting: Promise<void> | undefined): Promise<void> {
    await waiting;
    const invocations = await invocationsFor(review, options);
    if (invocations.length === 0) return;
    for (const { webhook } of invocations)
      assertDryRunSupported({ phase: 'validate', webhook, review }, options.metrics);
    const writers = await writersFor(review, invocations, options);
    const start = performance.now();
    const ends = await Promise.allSettled(
      invocations.map(({ webhook }, index) =>
        askWebhook(
          {
            phase: 'validate',
            webhook,
            review,
            writeReview: writers[index]!, // One for each.
            failedOpenKey: `${auditKeys.failedOpenValidating}round_0_index_${index}`,
            use() {},
          },
          options,
        ),
      ),
    );
    review.webhookSeconds += (performance.now() - start) / 1000;
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

async function invocationsFor(review: Review, options: WebhookPluginOptions): Promise<readonly Invocation[]> {
  const byRules = options
    .webhooks(review)
    .map(webhook => invocationFor(webhook, review, options))
    .filter(invocation => invocation !== undefined);
  if (byRules.length === 0) return byRules;
  const { namespaces } = options;
  const matched = await Promise.all(
    byRules.map(({ webhook }) => matchesSelectors(webhook, review, namespaces)),
  );
  return byRules.filter((_, index) => matched[index]);
}

/** Creates the writer of each webhook's review; webhooks with the same view share one. */
function writersFor(
  review: Review,
  invocations: readonly Invocation[],
  { convert }: WebhookPluginOptions,
): Promise<WriteReview[]> {
  const writers = new Map<Webhook['names'], Map<Invocation['definition'], Promise<WriteReview>>>();
  return Promise.all(
    invocations.map(({ definition, webhook: { names } }) => {
      const byDefinition = writers.get(names) ?? new Map<Invocation['definition'], Promise<WriteReview>>();
      writers.set(names, byDefinition);
      const writer =
        byDefinition.get(definition) ?? createReviewWriter(review, { definition, names }, convert);
      byDefinition.set(definition, writer);
      return writer;
    }),
  );
}
