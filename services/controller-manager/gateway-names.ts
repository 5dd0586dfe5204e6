import { setTimeout as pause } from 'node:timers/promises';
import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { groupTable } from '@binnacle/api-names/table';
import type { ApiClient } from '@binnacle/client';
import { type ApiNamesRefusal, otherApiNames } from '@binnacle/rpc';
import { FailureLog, type Logger } from '@binnacle/telemetry';

/** Options of the check of a gateway's names. */
interface GatewayNamesOptions {
  readonly client: Pick<ApiClient, 'request'>;
  readonly log: Logger;
  /** Default: the names of this process. */
  readonly own?: Vocabulary;
  /** Milliseconds between checks of a gateway that does not answer or has other names; default: 2 s. */
  readonly retryMs?: number;
}

const timeoutMs = 5_000;

/** Check that the gateway has the API names of this process, by the groups that it serves. */
export class GatewayNames {
  readonly #options: GatewayNamesOptions;
  #refusal: ApiNamesRefusal | undefined;

  constructor(options: GatewayNamesOptions) {
    this.#options = options;
  }

  /** Throws while the last check found other names. */
  assertSame(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** Resolves once a gateway with the same names answers, or the signal aborts; logs other names once. */
  async untilSame(signal: AbortSignal): Promise<void> {
    const { log, retryMs = 2_000 } = this.#options;
    const failures = new FailureLog({ log, failed: 'the groups of the gateway cannot be read, retrying' });
    while (!signal.aborted) {
      try {
        const refusal = await this.#ask(signal);
        if (refusal !== undefined && this.#refusal === undefined) log.error(refusal.message);
        this.#refusal = refusal;
        if (refusal === undefined) return;
      } catch (error) {
        if (!signal.aborted) failures.failed(error);
      }
      await pause(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #ask(signal: AbortSignal): Promise<ApiNamesRefusal | undefined> {
    const { client, own = vocabulary } = this.#options;
    const { groups = [] } = await client.request<{ groups?: { name: string }[] }>({
      method: 'GET',
      path: '/apis',
      timeoutMs,
      signal,
    });
    const theirs = vocabularyFromGroups(new Set(groups.map(({ name }) => name)));
    return theirs === own ? undefined : otherApiNames('gateway', theirs, { own });
  }
}

/**
 * Finds the vocabulary of a gateway: one with the names of `cluster` may list those of Kubernetes too, as aliases, but not vice
 * versa.
 */
function vocabularyFromGroups(groups: ReadonlySet<string>): Vocabulary {
  const [cluster] = groupTable.coordination;
  return groups.has(cluster) ? 'cluster' : 'kubernetes';
}
