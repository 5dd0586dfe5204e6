import { Backoff } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { withDeadline } from '@binnacle/rpc';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { asRecord } from './as-record.ts';
import { type FetchOptions, fetchJson } from './fetch-json.ts';
import { parseKeySet, type SigningKey } from './key-set.ts';
import type { OidcMetrics } from './oidc-metrics.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** Options of the keys of a provider. */
interface ProviderKeysOptions {
  readonly settings: Pick<OidcSettings, 'issuer' | 'ca' | 'algorithms'>;
  readonly metrics: OidcMetrics;
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Random number from 0 to 1. */
  readonly random: () => number;
  /** Resolves after some milliseconds, or when the signal aborts; never rejects. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A signal that aborts after some milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
}

/** Timeout of fetching both documents. */
const fetchTimeoutMs = 5_000;
/** The least milliseconds between the end of a fetch and the next one that a token causes. */
const leastIntervalMs = 10_000;
/** Milliseconds between regular fetches, which drop keys that the provider has withdrawn. */
const refreshIntervalMs = 3600_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

/**
 * The signing keys of an OpenID provider. They are fetched in the background at the start, with retries, and once an hour after that. A
 * token with an unknown key id causes a fetch too; but there is one fetch at a time, and a pause between fetches, so that
 * unauthenticated requests cannot drive the fetches. While the provider is down the last keys stay in use.
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

  /** The keys of the last fetch; undefined before the first. */
  get keys(): readonly SigningKey[] | undefined {
    return this.#keys;
  }

  /**
   * Fetches the keys, unless they were fetched a moment ago, and waits for the fetch within the call. Returns false when the fetch
   * failed, so that `keys` are older. Never rejects.
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
 * Fetches the discovery document of the issuer and the key set that it names (OpenID Connect Discovery 1.0, section 4). It fetches both
 * each time, so that a moved key set is found. Throws an Error that describes the fault of either.
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

/** Reads the URL of the key set, which may be on another host than the issuer, as with large providers. */
function keySetUrl(text: unknown): URL {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error('the jwks_uri of the discovery document is not an https:// URL');
  return url;
}
