import { createHmac, type KeyObject } from 'node:crypto';
import type { Decision } from '../authenticators/authenticator.ts';
import type { CacheMetrics } from './cache-metrics.ts';
import type { SharedCache } from './shared-cache.ts';

/** How a decision cache is sized, and for how long it believes. */
interface DecisionCacheOptions {
  /** Decisions of all pods together; undefined: each pod keeps its own alone. */
  readonly shared: SharedCache | undefined;
  /** Keys the digests under which decisions are kept, so that they say nothing of the token. */
  readonly digestKey: KeyObject;
  /** Milliseconds for which a token stays good after it was found so. */
  readonly tokenSuccessCacheTtl: number;
  /** Milliseconds for which a token stays refused. */
  readonly tokenFailureCacheTtl: number;
  /** Decisions kept in this process. */
  readonly maxEntries: number;
  readonly clock: () => number;
  readonly metrics: CacheMetrics;
}

interface Entry {
  readonly decision: Decision;
  readonly until: number;
}

/**
 * Decisions on tokens for a short time: first in this process, then in what the pods share. Asking twice at once
 * for one token decides once. A shared cache that is down is passed over, and costs no more than its own deadline.
 */
export class DecisionCache {
  readonly #options: DecisionCacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Decision>>();

  constructor(options: DecisionCacheOptions) {
    this.#options = options;
  }

  /** The decision that is kept for the token, or the one that `decide` makes. */
  async decide(
    token: string,
    audiences: readonly string[],
    decide: () => Promise<Decision>,
  ): Promise<Decision> {
    const { metrics } = this.#options;
    const start = performance.now();
    const question = { isHit: true };
    try {
      return await this.#keptOr(this.#digest(token, audiences), () => {
        question.isHit = false;
        return this.#fetched(decide);
      });
    } finally {
      metrics.asked(question.isHit ? 'hit' : 'miss', (performance.now() - start) / 1000);
    }
  }

  async #keptOr(digest: string, decide: () => Promise<Decision>): Promise<Decision> {
    const local = this.#local(digest);
    if (local) return local;
    const underWay = this.#underWay.get(digest);
    if (underWay) {
      const end = this.#options.metrics.blocked();
      return await underWay.finally(end);
    }
    const decision = this.#sharedOr(digest, decide).finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, decision);
    return await decision;
  }

  async #fetched(decide: () => Promise<Decision>): Promise<Decision> {
    const end = this.#options.metrics.fetching();
    try {
      const decision = await decide();
      end('ok');
      return decision;
    } catch (error) {
      end('error');
      throw error;
    }
  }

  async #sharedOr(digest: string, decide: () => Promise<Decision>): Promise<Decision> {
    const shared = await this.#options.shared?.get(digest);
    if (shared) {
      this.#keep(digest, shared.decision, Math.min(shared.until, this.#untilOf(shared.decision)));
      return shared.decision;
    }
    const decision = await decide();
    if (decision.kind === 'unknown') return decision;
    const until = this.#untilOf(decision);
    this.#keep(digest, decision, until);
    // Not waited for: the answer does not depend on whether the other pods get to know it.
    void this.#options.shared?.set(digest, decision, until);
    return decision;
  }

  #untilOf(decision: Decision): number {
    const { clock, tokenSuccessCacheTtl, tokenFailureCacheTtl } = this.#options;
    return clock() + (decision.kind === 'authenticated' ? tokenSuccessCacheTtl : tokenFailureCacheTtl);
  }

  #local(digest: string): Decision | undefined {
    const entry = this.#entries.get(digest);
    if (!entry) return undefined;
    this.#entries.delete(digest);
    if (entry.until <= this.#options.clock()) return undefined;
    this.#entries.set(digest, entry); // Last used, last to go.
    return entry.decision;
  }

  #keep(digest: string, decision: Decision, until: number): void {
    if (until <= this.#options.clock()) return;
    this.#entries.set(digest, { decision, until });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries) break;
      this.#entries.delete(oldest);
    }
  }

  #digest(token: string, audiences: readonly string[]): string {
    // Delimited by its quotes, each text stays one text: no two questions have the same digest.
    const question = JSON.stringify([token, ...audiences]);
    return createHmac('sha256', this.#options.digestKey).update(question).digest('base64url');
  }
}
