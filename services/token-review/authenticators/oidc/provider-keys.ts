import { Backoff } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { withDeadline } from '@binnacle/rpc';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { asRecord } from './as-record.ts';
import { type FetchOptions, fetchJson } from './fetch-json.ts';
import { parseKeySet, type SigningKey } from './key-set.ts';
import type { OidcMetrics } from './oidc-metrics.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** How the keys of a provider are fetched and kept. */
interface ProviderKeysOptions {
  readonly settings: Pick<OidcSettings, 'issuer' | 'ca' | 'algorithms'>;
  readonly metrics: OidcMetrics;
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after some milliseconds, or when the signal aborts; never rejects. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A signal that aborts after some milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
}

/** Both documents together must come within this time. */
const fetchTimeoutMs = 5_000;
/** Tokens cause no fetch within this time from the end of the last one. */
const leastIntervalMs = 10_000;
/** Keys are fetched again after this time, so that those that the provider withdraws go. */
const refreshIntervalMs = 3600_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

/**
 * The signing keys of an OpenID provider. They are fetched in the background from the start on, with retries, and once an hour
 * from then on. A token that names another key has them fetched as well, but one fetch is under way at a time, and none begins
 * shortly after another, so that what strangers send drives no requests. While the provider is down the keys stay as they were.
 */
export class ProviderKeys implements AsyncDisposable {
  readonly #options: ProviderKeysOptions;
  readonly #failures: FailureLog;
  readonly #closing = new AbortController();
  readonly #background: Promise<void>;
  #keys: readonly SigningKey[] | undefined;
  #underWay: Promise<boolean> | undefined;
  #last: { readonly worked: boolean; readonly endedAt: number } | undefined;

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
    const { log, now } = options;
    this.#failures = new FailureLog({
      log,
      now,
      failed: 'cannot fetch the signing keys of the OpenID provider, retrying',
      worked: 'the signing keys of the OpenID provider are fetched',
    });
    this.#background = this.#keepFetching();
  }

  /** The keys as they were last fetched; undefined: they never were. */
  get keys(): readonly SigningKey[] | undefined {
    return this.#keys;
  }

  /**
   * Fetches the keys unless they were just fetched, and waits for that within the call. False: the provider did not give them,
   * and `keys` are older. Never rejects.
   */
  async refresh(call: Pick<CallContext, 'signal' | 'deadline'>): Promise<boolean> {
    const { now } = this.#options;
    const last = this.#last;
    if (!this.#underWay && last && now() - last.endedAt < leastIntervalMs) return last.worked;
    return await withDeadline(this.#fetchOnce(), call).catch(() => false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#background;
    await this.#underWay;
  }

  async #keepFetching(): Promise<void> {
    const { random, pause } = this.#options;
    const { signal } = this.#closing;
    const backoff = new Backoff({ firstMs: firstRetryMs, longestMs: longestRetryMs, random });
    while (!signal.aborted) {
      const isFetched = await this.#fetchOnce();
      if (isFetched) backoff.reset();
      await pause(isFetched ? refreshIntervalMs * (1 - random() / 2) : backoff.next(), signal);
    }
  }

  #fetchOnce(): Promise<boolean> {
    this.#underWay ??= this.#fetch().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #fetch(): Promise<boolean> {
    const { settings, metrics, clock, now, timeout } = this.#options;
    const closing = this.#closing.signal;
    if (closing.aborted) return false;
    try {
      const keys = await fetchKeys(settings, AbortSignal.any([closing, timeout(fetchTimeoutMs)]));
      this.#keys = keys;
      this.#last = { worked: true, endedAt: now() };
      metrics.fetched(keys.length, clock() / 1000);
      this.#failures.worked();
      return true;
    } catch (error) {
      this.#last = { worked: false, endedAt: now() };
      if (closing.aborted) return false;
      metrics.fetchFailed();
      this.#failures.failed(error);
      return false;
    }
  }
}

/**
 * Fetches the discovery document of the issuer and the key set that it names (OpenID Connect Discovery 1.0, section 4). Both are
 * fetched each time, so that a key set that has moved is found. Throws an Error that says what is wrong with either.
 */
async function fetchKeys(
  { issuer, ca, algorithms }: Pick<OidcSettings, 'issuer' | 'ca' | 'algorithms'>,
  signal: AbortSignal,
): Promise<readonly SigningKey[]> {
  const discovery = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = asRecord(await fetchJson(discovery, { ca, signal })) ?? {};
  if (document.issuer !== issuer)
    throw new Error('the discovery document of the provider names another issuer than --oidc-issuer-url');
  const keys: FetchOptions = { ca, signal };
  return await parseKeySet(await fetchJson(keySetUrl(document.jwks_uri), keys), algorithms);
}

/** The key set may have another host than the issuer, as large providers have it. */
function keySetUrl(text: unknown): URL {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error('the jwks_uri of the discovery document is not an https:// URL');
  return url;
}
