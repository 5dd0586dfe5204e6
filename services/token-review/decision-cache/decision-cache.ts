import { createHmac, type KeyObject } from 'node:crypto';
import { ExpiringCache } from '@binnacle/event-loop';
import type { Authenticator, CacheTtl, Decision } from '../authenticators/authenticator.ts';
import type { CacheMetrics } from './cache-metrics.ts';
import type { SharedCache } from './shared-cache.ts';

/** How a decision cache is sized, and for how long it believes. */
interface DecisionCacheOptions {
  /** Decisions of all pods together; undefined: each pod keeps its own alone. */
  readonly shared: SharedCache | undefined;
  /** Keys the digests under which decisions are kept, so that they say nothing of the token. */
  readonly digestKey: KeyObject;
  /** Decisions kept in this process. */
  readonly maxEntries: number;
  readonly clock: () => number;
  readonly metrics: CacheMetrics;
}

/** A question to an authenticator about a token. */
interface Question {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly authenticator: Pick<Authenticator, 'name' | 'cacheTtl'>;
}

/**
 * Decisions on tokens for a short time: first in this process, then in what the pods share. Asking twice at once
 * for one token decides once. A shared cache that is down is passed over, and costs no more than its own deadline.
 */
export class DecisionCache {
  readonly #options: DecisionCacheOptions;
  readonly #decisions: ExpiringCache<Decision>;
  readonly #underWay = new Map<string, Promise<Decision>>();

  constructor(options: DecisionCacheOptions) {
    this.#options = options;
    this.#decisions = new ExpiringCache(options);
  }

  /** The decision that is kept for the token, or the one that `decide` makes. */
  async decide(question: Question, decide: () => Promise<Decision>): Promise<Decision> {
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

  async #keptOr(question: Question, decide: () => Promise<Decision>): Promise<Decision> {
    const digest = this.#digest(question);
    const local = this.#decisions.get(digest);
    if (local) return local;
    const underWay = this.#underWay.get(digest);
    if (underWay) {
      const end = this.#options.metrics.blocked();
      return await underWay.finally(end);
    }
    const ttl = question.authenticator.cacheTtl ?? { success: 0, failure: 0 };
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
  ): Promise<Decision> {
    const shared = await this.#options.shared?.get(digest);
    if (shared) {
      this.#keep(
        digest,
        shared.decision,
        Math.min(shared.until, this.#expiryFromDecision(shared.decision, ttl)),
      );
      return shared.decision;
    }
    const decision = await decide();
    if (decision.kind === 'unknown' || decision.kind === 'undecided') return decision;
    const until = this.#expiryFromDecision(decision, ttl);
    this.#keep(digest, decision, until);
    // Not waited for: the answer does not depend on whether the other pods get to know it.
    void this.#options.shared?.set(digest, decision, until);
    return decision;
  }

  #expiryFromDecision(decision: Decision, { success, failure }: CacheTtl): number {
    return this.#options.clock() + (decision.kind === 'authenticated' ? success : failure);
  }

  #keep(digest: string, decision: Decision, until: number): void {
    this.#decisions.set(digest, decision, until - this.#options.clock());
  }

  #digest({ token, audiences, authenticator }: Question): string {
    // Delimited by its quotes, each text stays one text: no two questions have the same digest.
    const question = JSON.stringify([authenticator.name, token, ...audiences]);
    return createHmac('sha256', this.#options.digestKey).update(question).digest('base64url');
  }
}
