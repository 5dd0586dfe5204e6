import { createHmac, type KeyObject } from 'node:crypto';
import { ExpiringCache } from '@binnacle/event-loop';
import type { Authenticator, CacheTtl, Decision } from '../authenticators/authenticator.ts';
import type { CacheMetrics } from './cache-metrics.ts';
import type { SharedCache, TimedDecision } from './shared-cache.ts';

/** Options of the decision cache. */
interface DecisionCacheOptions {
  /** The cache that all pods share; undefined: each pod has only its own. */
  readonly shared: SharedCache | undefined;
  /** Gives the key of the digests under which decisions are cached. */
  readonly digestKey: () => KeyObject;
  /** The most decisions in this process. */
  readonly maxEntries: number;
  readonly clock: () => number;
  readonly metrics: CacheMetrics;
}

/** A token for an authenticator to decide on. */
interface Question {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly authenticator: Pick<Authenticator, 'name' | 'cacheTtl'>;
}

/**
 * Cache of decisions on tokens, for a short time: first in this process, then in the cache that pods share. Concurrent requests for one
 * token share one decision. An unavailable shared cache is skipped, and costs no more than its own deadline.
 */
export class DecisionCache {
  readonly #options: DecisionCacheOptions;
  readonly #decisions: ExpiringCache<TimedDecision>;
  readonly #underWay = new Map<string, Promise<TimedDecision>>();

  constructor(options: DecisionCacheOptions) {
    this.#options = options;
    this.#decisions = new ExpiringCache(options);
  }

  /** Returns the cached decision on the token, or that of `decide`; one that is not cached has expired with the answer. */
  async decide(question: Question, decide: () => Promise<Decision>): Promise<TimedDecision> {
    const { metrics } = this.#options;
    const start = performance.now();
    const asked = { isHit: true };
    try {
      return await this.#keptOr(question, () => {
        asked.isHit = false;
        return this.#fetched(decide);
      });
    } finally {
      metrics.asked(asked.isHit ? 'hit' : 'miss', (performance.now() - start) / 1000);
    }
  }

  async #keptOr(question: Question, decide: () => Promise<Decision>): Promise<TimedDecision> {
    const digest = this.#digest(question);
    const local = this.#decisions.get(digest);
    if (local) return local;
    const underWay = this.#underWay.get(digest);
    if (underWay) {
      const end = this.#options.metrics.blocked();
      return await underWay.finally(end);
    }
    const ttl = question.authenticator.cacheTtl;
    const decision = this.#sharedOr({ digest, ttl }, decide).finally(() => this.#underWay.delete(digest));
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

  async #sharedOr(
    { digest, ttl }: { readonly digest: string; readonly ttl: CacheTtl },
    decide: () => Promise<Decision>,
  ): Promise<TimedDecision> {
    const shared = await this.#options.shared?.get(digest);
    if (shared) {
      const until = Math.min(shared.until, this.#expiryFromDecision(shared.decision, ttl));
      return this.#keep(digest, { decision: shared.decision, until });
    }
    const decision = await decide();
    if (decision.kind === 'unknown' || decision.kind === 'undecided')
      return { decision, until: this.#options.clock() };
    const until = this.#expiryFromDecision(decision, ttl);
    // Not awaited: the answer does not depend on the shared cache.
    void this.#options.shared?.set(digest, decision, until);
    return this.#keep(digest, { decision, until });
  }

  #expiryFromDecision(decision: Decision, { success, failure }: CacheTtl): number {
    return this.#options.clock() + (decision.kind === 'authenticated' ? success : failure);
  }

  #keep(digest: string, timed: TimedDecision): TimedDecision {
    this.#decisions.set(digest, timed, timed.until - this.#options.clock());
    return timed;
  }

  #digest({ token, audiences, authenticator }: Question): string {
    // JSON delimits the texts, so that different questions have different digests.
    const question = JSON.stringify([authenticator.name, token, ...audiences]);
    return createHmac('sha256', this.#options.digestKey()).update(question).digest('base64url');
  }
}
