import type { TypeRegistry } from '@binnacle/api-types';
import { yieldAfterStep } from '@binnacle/event-loop';
import type { AdmissionPlugin, Mutation } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import { createReviewWriter, type WebhookAnswer } from '../webhooks/admission-review.ts';
import { askWebhook, assertDryRunSupported } from '../webhooks/ask-webhook.ts';
import { type Invocation, invocationFor, isWebhookConfiguration } from '../webhooks/invocation.ts';
import { matchesSelectors } from '../webhooks/matches-selectors.ts';
import type { WebhookPluginOptions } from '../webhooks/webhook-plugin-options.ts';
import type { OrderedWebhook } from '../webhooks/webhook-source.ts';
import { type CallPlace, failedOpenKey, noteMutation, notePatch } from './annotations.ts';
import { applyWebhookPatch } from './apply-patch.ts';
import { Reinvocation } from './reinvocation.ts';

/** Options of the plugin. */
interface MutatingWebhookOptions extends WebhookPluginOptions {
  readonly registry: Pick<TypeRegistry, 'message'>;
}

/**
 * MutatingAdmissionWebhook: calls the matching webhooks one after another, each with the changes of those before it. When one
 * changed the object, all mutating plugins run a second time, and webhooks with the reinvocation policy IfNeeded are called again
 * where the object was changed after them.
 */
export function createMutatingWebhooks(options: MutatingWebhookOptions): AdmissionPlugin {
  const reinvocations = new WeakMap<Review, Reinvocation>();
  return {
    name: 'MutatingAdmissionWebhook',
    mutate(review): Mutation | Promise<Mutation> {
      if (isWebhookConfiguration(review)) return 'unchanged';
      const waiting = options.ready(review);
      if (waiting === undefined && options.webhooks(review).length === 0) return 'unchanged';
      return askAll(review, waiting);
    },
  };

  async function askAll(review: Review, waiting: Promise<void> | undefined): Promise<Mutation> {
    await waiting;
    const webhooks = options.webhooks(review);
    const reinvocation = reinvocations.get(review) ?? new Reinvocation();
    reinvocations.set(review, reinvocation);
    const changed = await runRound({ review, webhooks, reinvocation }, options);
    if (changed) review.shouldReinvoke = true;
    return changed ? 'changed' : 'unchanged';
  }
}

interface Round {
  readonly review: Review;
  readonly webhooks: readonly OrderedWebhook[];
  readonly reinvocation: Reinvocation;
}

/** Calls the webhooks of one run; returns whether any of them changed the object. */
async function runRound(
  { review, webhooks, reinvocation }: Round,
  options: MutatingWebhookOptions,
): Promise<boolean> {
  let changed = false;
  reinvocation.begin(review.object);
  for (const webhook of webhooks) {
    if (review.isReinvocation && !reinvocation.isDue(webhook.id)) continue;
    // The changes of the webhooks before it decide on whether it matches.
    const invocation = invocationFor(webhook, review, options);
    if (invocation === undefined) continue;
    if (!(await matchesSelectors(webhook, review, options.namespaces))) continue;
    assertDryRunSupported({ phase: 'admit', webhook, review }, options.metrics);
    const place = { round: review.isReinvocation ? 1 : 0, order: webhook.order };
    if (await ask(invocation, { review, place, options })) {
      changed = true;
      reinvocation.changed();
    }
    if (webhook.reinvocable) reinvocation.asked(webhook.id);
  }
  reinvocation.end(review.object);
  return changed;
}

interface Turn {
  readonly review: Review;
  readonly place: CallPlace;
  readonly options: MutatingWebhookOptions;
}

/** Calls one webhook; returns whether it changed the object. */
async function ask({ webhook, definition }: Invocation, { review, place, options }: Turn): Promise<boolean> {
  const start = performance.now();
  const view = { definition, names: webhook.names };
  let mutated = false;
  const use = async ({ patch: operations }: WebhookAnswer) => {
    if (operations.length === 0) return;
    const patch = { webhook: webhook.name, operations, view };
    mutated = await applyWebhookPatch(review, patch, options);
    await yieldAfterStep(review.bytes);
    notePatch(review, webhook, { ...place, patch: operations });
  };
  try {
    const writeReview = await createReviewWriter(review, view, options.convert);
    const key = failedOpenKey(place);
    await askWebhook({ phase: 'admit', webhook, review, writeReview, failedOpenKey: key, use }, options);
    return mutated;
  } finally {
    noteMutation(review, webhook, { ...place, mutated });
    review.webhookSeconds += (performance.now() - start) / 1000;
  }
}
