import type { Metrics } from '@binnacle/telemetry';

/** Counters of tokens with an extended lifetime, counted at each review. */
export interface TokenAgeMetrics {
  /** Counts a token within its requested lifetime. */
  valid(): void;
  /** Counts a token past its requested lifetime. */
  stale(): void;
}

/** Creates the counters under the names of kube-apiserver. */
export function createTokenAgeMetrics(metrics: Metrics): TokenAgeMetrics {
  const valid = metrics
    .counter({
      name: 'serviceaccount_valid_tokens_total',
      help: 'Projected service-account tokens used within the lifetime that they were requested with.',
    })
    .labels();
  const stale = metrics
    .counter({
      name: 'serviceaccount_stale_tokens_total',
      help: 'Projected service-account tokens used after the lifetime that they were requested with.',
    })
    .labels();
  return { valid: () => valid.inc(), stale: () => stale.inc() };
}
