import { pause } from '@binnacle/event-loop';
import type { Logger, Metrics } from '@binnacle/telemetry';
import type { Authenticator, CacheTtl } from '../authenticator.ts';
import { createOidcAuthenticator } from './oidc.ts';
import { createOidcMetrics } from './oidc-metrics.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { ProviderKeys } from './provider-keys.ts';

/** Options of OpenID Connect. */
interface OpenOidcOptions {
  readonly audiences: readonly string[];
  readonly cacheTtl: CacheTtl;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: () => number;
}

/** The authenticator of id_tokens with the keys that it fetches. */
export interface OpenOidc extends AsyncDisposable {
  readonly authenticator: Authenticator;
  /** Asserts that the keys of the provider were fetched at least once: before that, none of its tokens is accepted. */
  assertKeys(): void;
}

/** Starts fetching the keys of the provider, and creates the authenticator on them. */
export function openOidc(settings: OidcSettings, options: OpenOidcOptions): OpenOidc {
  const metrics = createOidcMetrics(options.metrics);
  const { log, clock, audiences, cacheTtl } = options;
  const keys = new ProviderKeys({
    settings,
    metrics,
    log,
    clock,
    now: () => performance.now(),
    random: Math.random,
    pause,
    timeout: milliseconds => AbortSignal.timeout(milliseconds),
  });
  return {
    authenticator: createOidcAuthenticator({
      settings,
      keys,
      apiAudiences: audiences,
      cacheTtl,
      metrics,
      clock,
    }),
    assertKeys() {
      if (keys.keys === undefined)
        throw new Error('the signing keys of the OpenID provider were never fetched');
    },
    [Symbol.asyncDispose]: () => keys[Symbol.asyncDispose](),
  };
}
