import type { CallContext } from '@binnacle/proto';
import { createCallContext, withDeadline } from '@binnacle/service-kit';
import type { Revision, Storage, StorageKey } from '@binnacle/storage-contract';

/** Answers how new the store is, with few questions to it. */
export interface LatestRevisions {
  /**
   * The revision of a type's last write (without a prefix: of the store), no older than the moment of this call.
   *
   * Calls that come while a question is on its way share the next one, never the one already sent: that one may have
   * been answered before a write that these callers have seen acknowledged.
   */
  of(typePrefix: StorageKey | undefined, call: CallContext): Promise<Revision>;
}

interface Line {
  /** Settles when the question on its way is answered. */
  sent: Promise<unknown> | undefined;
  /** The question that is asked next. */
  next: Promise<Revision> | undefined;
}

/** Creates shared questions for revisions; each question has a deadline of its own, however long its callers wait. */
export function createLatestRevisions(
  storage: Pick<Storage, 'typeRevision'>,
  timeoutMs = 5_000,
): LatestRevisions {
  const lines = new Map<string, Line>();

  const ask = async (prefix: StorageKey | undefined, line: Line): Promise<Revision> => {
    using call = createCallContext({ timeoutMs });
    const asked = storage.typeRevision(prefix, call);
    line.sent = asked;
    try {
      return await asked;
    } finally {
      if (line.sent === asked) line.sent = undefined;
    }
  };

  const askNext = async (prefix: StorageKey | undefined, line: Line): Promise<Revision> => {
    await line.sent?.catch(() => {});
    line.next = undefined;
    return await ask(prefix, line);
  };

  return {
    of(prefix, call) {
      const key = prefix ?? '';
      const line: Line = lines.get(key) ?? { sent: undefined, next: undefined };
      lines.set(key, line);
      if (line.sent === undefined && line.next === undefined) return withDeadline(ask(prefix, line), call);
      line.next ??= askNext(prefix, line);
      return withDeadline(line.next, call);
    },
  };
}
