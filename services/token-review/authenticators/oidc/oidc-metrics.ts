import type { Metrics } from '@binnacle/telemetry';

/** The metrics of OpenID Connect. */
export interface OidcMetrics {
  /** Records a successful fetch with `count` usable keys. */
  fetched(count: number, unixSeconds: number): void;
  fetchFailed(): void;
  /** Counts a token of the issuer that could not be decided on because the keys could not be fetched. */
  undecided(): void;
}

/** Registers the metrics of OpenID Connect. */
export function createOidcMetrics(metrics: Metrics): OidcMetrics {
  const fetches = metrics.counter({
    name: 'binnacle_oidc_key_fetches_total',
    help: 'Attempts to fetch the signing keys of the OpenID provider, by outcome.',
    labelNames: ['outcome'],
  });
  const [success, failure] = [fetches.labels('success'), fetches.labels('failure')];
  const lastSuccess = metrics
    .gauge({
      name: 'binnacle_oidc_last_key_fetch_success_timestamp_seconds',
      help: 'Unix time at which the signing keys of the OpenID provider were last fetched; 0: never.',
    })
    .labels();
  const keys = metrics
    .gauge({ name: 'binnacle_oidc_signing_keys', help: 'Signing keys of the OpenID provider in use.' })
    .labels();
  const undecided = metrics
    .counter({
      name: 'binnacle_oidc_undecided_tokens_total',
      help: 'Tokens of the OpenID provider that were not accepted because its signing keys could not be fetched.',
    })
    .labels();
  return {
    fetched(count, unixSeconds) {
      success.inc();
      lastSuccess.set(unixSeconds);
      keys.set(count);
    },
    fetchFailed: () => failure.inc(),
    undecided: () => undecided.inc(),
  };
}
