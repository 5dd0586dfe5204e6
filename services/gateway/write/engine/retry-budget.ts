import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '@binnacle/proto';
import { StatusError, timeout } from '@binnacle/status-errors';

/** The reason why a write is retried. */
export type RetryReason =
  /** The generated name is taken. */
  | 'name'
  /** Another write changed the object of the write. */
  | 'object'
  /** Another write changed an object that changes in the same transaction. */
  | 'joint-write'
  /** The objects that admission relied on changed. */
  | 'admission'
  /** Another object holds a value that the server picked. */
  | 'reservation';

/**
 * The answer of the budget: no retry is left, a retry at once, or one after a pause, in which the objects that were
 * read may have changed.
 */
type TakenRetry = 'none' | 'at-once' | 'after-pause';

interface Limit {
  /** Attempts of a write, the first one among them. Default: as many as its deadline allows. */
  readonly attempts?: number;
  /** The longest pauses before the retries, in order; the last one stands for all that follow. Default: none. */
  readonly pausesMs?: readonly number[];
}

/**
 * Writes of one object queue in their gateway, so what comes in between are writes of other gateways. Writes that lost
 * retry at once, which is enough for a few; pauses of random length spread many.
 */
const betweenGateways = [0, 0, 0, 5, 0, 10, 0, 20, 0, 40] as const;

/**
 * The limits of every write. They are counted over the whole write: a retry for one reason does not reset the count of
 * another. A write that names no version is not refused because another write was faster: it is retried until its
 * deadline.
 */
const limits: Readonly<Record<RetryReason, Limit>> = {
  // Clients expect that a generated name can be taken, and retry.
  name: { attempts: 8 },
  object: { pausesMs: betweenGateways },
  'joint-write': { pausesMs: betweenGateways },
  // Admission's cache has to catch up, and writes through other gateways have to commit. If the cache does not catch
  // up, the client must learn of it before its deadline.
  admission: { attempts: 24, pausesMs: [0, 5, 10, 20, 20, 50, 50, 100, 100, 200, 400] },
  // Each loss is a value that is taken, so that their number is bounded; there are few unless the cache is far
  // behind.
  reservation: { pausesMs: [0, 0, 0, 0, 0, 0, 0, 0, 5, 10, 20, 50] },
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
   * Takes one retry; 'none' when there is none left for this reason, and the write ends with an error. Resolves after
   * the pause that goes before the retry. Throws Timeout when the request is over, or ends in the pause.
   */
  async take(reason: RetryReason): Promise<TakenRetry> {
    const { attempts = Number.POSITIVE_INFINITY, pausesMs = [] } = limits[reason];
    const taken = this.#taken.get(reason) ?? 0;
    if (taken + 1 >= attempts) return 'none';
    this.#taken.set(reason, taken + 1);
    const longest = pausesMs[Math.min(taken, pausesMs.length - 1)] ?? 0;
    await unlessEnded(this.#call, 'other writes', signal =>
      // Writes of other gateways that lost to the same write must not retry at the same moment.
      longest > 0 ? sleep(longest * this.#random(), undefined, { signal }) : undefined,
    );
    return longest > 0 ? 'after-pause' : 'at-once';
  }
}

/** Waits for other writes; throws Timeout, with the reason, when the request is over before. */
export async function unlessEnded<T>(
  { signal }: Pick<CallContext, 'signal'>,
  awaited: string,
  wait: (signal: AbortSignal) => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    signal.throwIfAborted();
    return await wait(signal);
  } catch (thrown) {
    if (thrown instanceof StatusError) throw thrown;
    throw timeout(`the request ended while it waited for ${awaited}; nothing was changed`);
  }
}
