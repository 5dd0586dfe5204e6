import type { Metrics } from '@binnacle/telemetry';
import type { Decision } from '../authorizer.ts';

/** The metrics of the authorization webhook. */
export interface WebhookMetrics {
  /** Counts a review that was answered from the cache, shared a call under way, or made a call. */
  reviewed(source: 'cache' | 'shared' | 'call'): void;
  /** Records a call that ended. */
  called(result: Decision['verdict'] | 'error', seconds: number): void;
}

const results: Readonly<Record<Decision['verdict'] | 'error', string>> = {
  allowed: 'allowed',
  denied: 'denied',
  noOpinion: 'no_opinion',
  error: 'error',
};

/** Registers the metrics of the authorization webhook. */
export function createWebhookMetrics(metrics: Metrics): WebhookMetrics {
  const reviews = metrics.counter({
    name: 'binnacle_authorization_webhook_questions_total',
    help: 'Decisions of the authorization webhook, by where they came from.',
    labelNames: ['source'],
  });
  const calls = metrics.counter({
    name: 'binnacle_authorization_webhook_calls_total',
    help: 'Calls of the authorization webhook, retries not counted, by result.',
    labelNames: ['result'],
  });
  const durations = metrics.histogram({
    name: 'binnacle_authorization_webhook_call_duration_seconds',
    help: 'Duration of calls of the authorization webhook with their retries, by result.',
    labelNames: ['result'],
  });
  return {
    reviewed: source => reviews.labels(source).inc(),
    called(result, seconds) {
      calls.labels(results[result]).inc();
      durations.labels(results[result]).observe(seconds);
    },
  };
}
