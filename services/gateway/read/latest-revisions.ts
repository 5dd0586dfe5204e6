import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import type { CallContext } from '@binnacle/proto';
import { createCallContext, withDeadline } from '@binnacle/rpc';
import type { Revision, Storage, StorageKey } from '@binnacle/storage-contract';

/** Reads revisions of the store, with few requests to it. */
interface LatestRevisions {
  /**
   * The revision of a type's last write (without a prefix: of the store), no older than the moment of this call.
   *
   * The calls of one turn of the event loop share a request, which is sent when the turn ends. Calls that come while a
   * request is under way share the next one, never the one already sent: that one may have been answered before a
   * write that these callers have seen acknowledged. After a request that several calls shared, the next one waits for
   * more of them: twice as long as the answer took, and at most five milliseconds.
   */
  of(typePrefix: StorageKey | undefined, call: CallContext): Promise<Revision>;
}

/** Options of the requests. */
interface LatestRevisionsOptions {
  /** The deadline of a request, in ms, however long its callers wait; default 5000. */
  readonly timeoutMs?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Callers of one request from which on the next one is delayed: a program that waits for each answer is not slowed down. */
const manyCallers = 3;
const longestThrottleMs = 5;

interface SharedCalls {
  /** Settles when the request under way is answered. */
  sent: Promise<unknown> | undefined;
  /** The next request. */
  next: Promise<Revision> | undefined;
  /** Number of calls that share the next request. */
  callers: number;
  /** Time at which the next request may be sent. */
  throttledUntil: number;
}

/** Creates the reader of revisions, whose calls share requests. */
export function createLatestRevisions(
  storage: Pick<Storage, 'typeRevision'>,
  options: LatestRevisionsOptions = {},
): LatestRevisions {
  const { timeoutMs = 5_000, now = () => performance.now() } = options;
  const wait = options.pause ?? (milliseconds => pause(milliseconds));
  const byPrefix = new Map<string, SharedCalls>();

  const send = async (prefix: StorageKey | undefined, calls: SharedCalls): Promise<Revision> => {
    using call = createCallContext({ timeoutMs });
    const { callers } = calls;
    const sentAt = now();
    calls.callers = 0;
    const response = storage.typeRevision(prefix, call);
    calls.sent = response;
    try {
      return await response;
    } finally {
      if (calls.sent === response) calls.sent = undefined;
      const answeredAt = now();
      const throttleMs = callers < manyCallers ? 0 : Math.min(2 * (answeredAt - sentAt), longestThrottleMs);
      calls.throttledUntil = answeredAt + throttleMs;
    }
  };

  const sendNext = async (prefix: StorageKey | undefined, calls: SharedCalls): Promise<Revision> => {
    await calls.sent?.catch(() => {});
    const throttleMs = Math.floor(calls.throttledUntil - now());
    if (throttleMs > 0) await wait(throttleMs);
    await endOfTurn();
    calls.next = undefined;
    return await send(prefix, calls);
  };

  return {
    of(prefix, call) {
      const key = prefix ?? '';
      const calls: SharedCalls = byPrefix.get(key) ?? {
        sent: undefined,
        next: undefined,
        callers: 0,
        throttledUntil: 0,
      };
      byPrefix.set(key, calls);
      calls.callers++;
      calls.next ??= sendNext(prefix, calls);
      return withDeadline(calls.next, call);
    },
  };
}
