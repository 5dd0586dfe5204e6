import { createHash } from 'node:crypto';
import type { Decision } from '../authorizer.ts';

/** How long decisions are kept, and how many. */
interface DecisionCacheOptions {
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly maxEntries: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface Entry {
  readonly decision: Decision;
  readonly from: number;
  readonly until: number;
}

/** Decisions of the webhook for a short time, the least recently used ones leaving first. */
export class DecisionCache {
  readonly #options: DecisionCacheOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: DecisionCacheOptions) {
    this.#options = options;
  }

  /** The decision that is kept under a key. */
  get(key: string): Decision | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    const now = this.#options.clock();
    // A clock that was set back keeps no decision for longer.
    if (now < entry.from || now >= entry.until) return undefined;
    this.#entries.set(key, entry);
    return entry.decision;
  }

  /** Keeps a decision under a key. */
  put(key: string, decision: Decision): void {
    const { authorizedTtlMs, unauthorizedTtlMs, maxEntries, clock } = this.#options;
    const ttlMs = decision.verdict === 'allowed' ? authorizedTtlMs : unauthorizedTtlMs;
    if (ttlMs <= 0) return;
    const from = clock();
    this.#entries.delete(key);
    this.#entries.set(key, { decision, from, until: from + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) return;
      this.#entries.delete(oldest);
    }
  }
}

/** A key of bounded size for a question, however long that is. */
export function questionKey(question: string): string {
  return createHash('sha256').update(question).digest('base64');
}
