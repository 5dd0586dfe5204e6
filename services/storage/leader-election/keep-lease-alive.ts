import { pause } from '@binnacle/event-loop';
import type { EtcdConnection } from '../backends/etcd/connection.ts';

/** A lease to keep alive. */
interface HeldLease {
  readonly connection: EtcdConnection;
  readonly lease: string;
  readonly ttlSeconds: number;
  /** Time at which the request for it was sent, by the monotonic clock. */
  readonly grantedAt: number;
}

type KeepAliveStream = Awaited<ReturnType<EtcdConnection['openKeepAlive']>>;

/**
 * Keeps a lease alive until the term ends. Ends the term when the lease may have expired: two thirds of its time after the last
 * confirmed request was sent, or when etcd reports that it is gone.
 */
export async function keepLeaseAlive(held: HeldLease, term: AbortController): Promise<void> {
  const { connection, lease, ttlSeconds } = held;
  const trustMs = (ttlSeconds * 1000 * 2) / 3;
  let confirmedSentAt = held.grantedAt;
  let stream: KeepAliveStream | undefined;
  let unanswered: number[] = [];

  const open = async (): Promise<KeepAliveStream> => {
    const opened = await connection.openKeepAlive();
    unanswered = [];
    opened.on('data', ({ TTL }) => {
      // Answers arrive in the order of the requests of their stream.
      const sentAt = stream === opened ? unanswered.shift() : undefined;
      if (Number(TTL) <= 0) term.abort();
      else if (sentAt !== undefined) confirmedSentAt = sentAt;
    });
    const drop = (): void => {
      if (stream === opened) stream = undefined;
    };
    opened.on('error', drop);
    opened.on('end', drop);
    return opened;
  };

  while (!term.signal.aborted) {
    if (performance.now() - confirmedSentAt >= trustMs) term.abort();
    else {
      stream ??= await open().catch(() => undefined);
      if (stream !== undefined) {
        unanswered.push(performance.now());
        stream.write({ ID: lease });
      }
      await pause(
        Math.min((ttlSeconds * 1000) / 6, confirmedSentAt + trustMs - performance.now()),
        term.signal,
      );
    }
  }
  stream?.cancel();
}
