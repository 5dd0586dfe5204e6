import { setTimeout as pause } from 'node:timers/promises';
import { createCallContext } from '@binnacle/rpc';
import type { Storage } from '@binnacle/storage-contract';
import type { ConfiguredTypes } from '../encryption/stored-prefix.ts';
import { readStoreForm, StoreFormRefusal, settleStoreForm } from './store-form.ts';
import { assertNotEncrypting } from './stored-values.ts';

/** Milliseconds between looks at the form of a store that other processes use too. */
const lookMs = 2_000;

/** Options of following the form of a store. */
interface FollowOptions {
  readonly storage: Storage;
  /** The types of the encryption configuration of this process; undefined: it has none. */
  readonly configured: () => ConfiguredTypes | undefined;
}

/**
 * Looks at the form of a store until the signal aborts. Rejects with a StoreFormRefusal when a newer release has given it a form that
 * this one must not use, or when this process has no encryption configuration and another process begins to encrypt.
 */
export async function followStoreForm(
  { storage, configured }: FollowOptions,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await pause(lookMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    using call = createCallContext({ timeoutMs: lookMs, signal });
    const own = configured();
    try {
      // A process without a configuration that started at the same time may have taken the types from the record.
      if (own !== undefined) await settleStoreForm(storage, own, call);
      else assertNotEncrypting(await readStoreForm(storage, call));
    } catch (thrown) {
      // The store may be away; then there is nothing to be written either.
      if (thrown instanceof StoreFormRefusal) throw thrown;
    }
  }
}
