import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '@binnacle/proto';
import { timeout } from '@binnacle/status-errors';

/** Why a write is retried. */
export type RetryReason =
  /** The generated name is taken. */
  | 'name'
  /** Another write created the object that an update or an apply was about to create. */
  | 'created'
  /** Another write changed the object of an update or a patch. */
  | 'update'
  /** Another write changed the object of a deletion, or the object behind a subresource. */
  | 'object'
  /** Another write changed an object that changes in the same transaction. */
  | 'joint-write'
  /** Another write changed the pod of an eviction, or its disruption budget. */
  | 'eviction'
  /** What admission relied on changed. */
  | 'admission'
  /** Another object holds a value that the server picked. */
  | 'claim';

interface Limit {
  /** How many attempts a write has, the first one among them. */
  readonly attempts: number;
  /** The longest pauses before the retries, in order; the last one stands for all that follow. Default: none. */
  readonly pausesMs?: readonly number[];
  /** What the pauses are for, in words for the client whose request ends in one. */
  readonly awaited?: string;
}

/**
 * The limits of every write. They are counted over the whole write: a retry for one reason gives none back for another,
 * so the sum of this table bounds a write, not the product. Each is no lower than what a write needs under the contention
 * that the tests of races play.
 */
const limits: Readonly<Record<RetryReason, Limit>> = {
  name: { attempts: 8 },
  created: { attempts: 3 },
  // Clients expect a conflict of an update, and retry. Of the others they expect none.
  update: { attempts: 8 },
  object: { attempts: 20 },
  'joint-write': { attempts: 20 },
  // A budget is wanted by many evictions at once when a node is emptied: those that lost wait, each its own time.
  eviction: { attempts: 20, pausesMs: [50], awaited: 'the disruption budget' },
  // What admission reads from its cache has to catch up, and writes through other gateways have to come through.
  admission: {
    attempts: 24,
    pausesMs: [0, 5, 10, 20, 20, 50, 50, 100, 100, 200, 400],
    awaited: 'other writes',
  },
  claim: { attempts: 32 },
};

/**
 * The retries that one write has left: of each reason as many as the table says, and none once the request is over. A
 * write begins with a new one; each object of a deletecollection is a write of its own.
 */
export class RetryBudget {
  readonly #call: Pick<CallContext, 'signal'>;
  readonly #random: () => number;
  readonly #taken = new Map<RetryReason, number>();

  /** `random` is 0 to 1; default: `Math.random`. */
  constructor(call: Pick<CallContext, 'signal'>, random: () => number = Math.random) {
    this.#call = call;
    this.#random = random;
  }

  /**
   * Takes one retry; false when there is none left for this reason, and the write is to be answered. Resolves after the
   * pause that goes before the retry. Throws Timeout when the request is over, or ends in the pause.
   */
  async take(reason: RetryReason): Promise<boolean> {
    const { attempts, pausesMs = [], awaited = 'other writes' } = limits[reason];
    const taken = this.#taken.get(reason) ?? 0;
    if (taken + 1 >= attempts) return false;
    this.#taken.set(reason, taken + 1);
    const longest = pausesMs[Math.min(taken, pausesMs.length - 1)] ?? 0;
    await unlessEnded(this.#call, awaited, signal =>
      // Writers at other gateways that lost to the same write must not come back at the same moment.
      longest > 0 ? sleep(longest * this.#random(), undefined, { signal }) : undefined,
    );
    return true;
  }
}

/** Waits for what other writes have to do first; throws Timeout, naming it, when the request is over before. */
export async function unlessEnded<T>(
  { signal }: Pick<CallContext, 'signal'>,
  awaited: string,
  wait: (signal: AbortSignal) => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    signal.throwIfAborted();
    return await wait(signal);
  } catch {
    throw timeout(`the request ended while it waited for ${awaited}; nothing was changed`);
  }
}
