import { Refusal } from '@binnacle/backend-access';
import { errorMessage } from '@binnacle/status-errors';
import type { Logger, Metrics } from '@binnacle/telemetry';
import { createKmsTransformer, type KmsProvider, type KmsTransformer } from './create-kms-transformer.ts';

/** Services of KMS transformers. */
interface KmsServices {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The KMS transformers of a configuration. A provider that a new configuration has too keeps its transformer and its data keys. */
export class KmsProviders implements AsyncDisposable {
  readonly #services: KmsServices;
  readonly #transformers = new Map<string, KmsTransformer>();
  readonly #closing = new Set<Promise<void>>();

  constructor(services: KmsServices) {
    this.#services = services;
  }

  /** Returns the transformer of a provider, which is created once. */
  find(provider: KmsProvider): KmsTransformer {
    const id = idOf(provider);
    const found = this.#transformers.get(id) ?? createKmsTransformer(provider, this.#services);
    this.#transformers.set(id, found);
    return found;
  }

  /** Closes the transformers of all other providers, each when its calls under way have ended. */
  keep(providers: readonly KmsProvider[]): void {
    const kept = new Set(providers.map(idOf));
    for (const [id, transformer] of this.#transformers) {
      if (kept.has(id)) continue;
      this.#transformers.delete(id);
      const closing = transformer[Symbol.asyncDispose]().finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    }
  }

  /** Rejects with a Refusal that names each plugin that does not work. */
  async checkHealth(): Promise<void> {
    const checks = [...this.#transformers.values()].map(transformer => transformer.checkHealth());
    const failed = (await Promise.allSettled(checks)).flatMap((check, index) =>
      check.status === 'rejected' ? [`kms-provider-${index}: ${errorMessage(check.reason)}`] : [],
    );
    if (failed.length > 0) throw new Refusal(failed.join('; '));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.keep([]);
    await Promise.all(this.#closing);
  }
}

/** Identifies a provider by all its settings. */
function idOf({ name, apiVersion, endpoint, cachesize, timeout }: KmsProvider): string {
  return JSON.stringify([name, apiVersion, endpoint, cachesize, timeout]);
}
