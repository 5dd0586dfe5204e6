import { groups, namespaces } from '@binnacle/api-names';
import { decodeStored } from '@binnacle/codecs';
import { createCallContext } from '@binnacle/rpc';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import type { Logger } from '@binnacle/telemetry';

/** Options of a check of the clock. */
interface CheckClockOptions {
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Milliseconds that clocks of machines may differ. */
const toleratedMs = 60_000;

/** Leases that are read: those of gateways and leaders stand in one namespace. */
const mostLeases = 100;

/**
 * Logs one line where the clock of this machine is behind the newest lease in the store: leases of gateways and controllers have the times
 * of the machines that renewed them last. Never rejects.
 */
export async function checkClock(storage: Storage, { log, now, signal }: CheckClockOptions): Promise<void> {
  using call = createCallContext({ timeoutMs: 10_000, signal });
  const prefix = storageKeyFrom(`/${groups.coordination}/leases/${namespaces.system}/`);
  const page = await storage.list({ prefix, limit: mostLeases }, call).catch(() => undefined);
  let newest = 0;
  for (const { value, revision } of page?.records ?? [])
    newest = Math.max(newest, renewTime(value, revision));
  const behindMs = newest - now();
  if (behindMs <= toleratedMs) return;
  log.error('the clock of this machine is behind the last lease in the store: set the clock', {
    clock: new Date(now()).toISOString(),
    lease: new Date(newest).toISOString(),
  });
}

/** The time at which a stored lease was renewed; 0 where it tells none. */
function renewTime(value: Uint8Array, revision: number): number {
  try {
    const { spec } = decodeStored(value, revision) as { readonly spec?: { readonly renewTime?: string } };
    return Date.parse(spec?.renewTime ?? '') || 0;
  } catch {
    return 0;
  }
}
