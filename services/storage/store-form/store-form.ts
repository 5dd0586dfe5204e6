import { setTimeout as pause } from 'node:timers/promises';
import { readJson } from '@binnacle/api-objects';
import { Refusal } from '@binnacle/backend-access';
import { release } from '@binnacle/build-info';
import type { CallContext } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { type Storage, storeFormKey } from '@binnacle/storage-contract';

/**
 * The form of a store: what its keys and values look like. A store has one form, which its record tells; a store without a record
 * has form 1.
 *
 * A release that changes the form counts it up and migrates the store as its leader. It first writes the record and moves the guard
 * of batches in one transaction of etcd: from then on no pod of a release that does not know the new form commits anything
 * (see `BatchGuard`), and each such pod ends within seconds.
 */
export interface StoreForm {
  readonly form: number;
  /** The oldest form whose releases may still read and write the store. */
  readonly usableFrom: number;
  /** The release that gave the store this form. */
  readonly release: string;
}

/** The form that this release writes; it reads this one and all before it. */
const ownForm: StoreForm = { form: 1, usableFrom: 1, release };

/** The form of a store, or of a backup, without a record. */
export const formWithoutRecord: StoreForm = { form: 1, usableFrom: 1, release };

/** The refusal of a store, or of a backup, whose form this release does not know. */
export class StoreFormRefusal extends Refusal {
  override readonly name = 'StoreFormRefusal';
}

/** Reads the form of a store; undefined where it has no record. Throws a StoreFormRefusal for one that this release must not use. */
export async function readStoreForm(storage: Storage, call: CallContext): Promise<StoreForm | undefined> {
  const { record } = await storage.get(storeFormKey, call);
  return record && usableForm(record.value);
}

/** Writes the form of this release into a store without a record; of several processes that do, one writes. */
export async function writeStoreForm(storage: Storage, call: CallContext): Promise<void> {
  const own = { key: storeFormKey, value: encodeStoreForm(ownForm) };
  const preconditions = [{ key: storeFormKey, revision: 0 }];
  const { committed } = await storage.transact({ preconditions, puts: [own], deletes: [] }, call);
  if (!committed) await readStoreForm(storage, call);
}

/** Encodes the record of a form. */
export function encodeStoreForm(form: StoreForm): Uint8Array {
  return Buffer.from(JSON.stringify(form));
}

/** Decodes the record of a form. Throws a StoreFormRefusal for one that this release must not use. */
export function usableForm(bytes: Uint8Array): StoreForm {
  const form = formFrom(parsed(bytes));
  assertUsable('the store', form);
  return form;
}

/** Takes the form from an object that names it. Throws a StoreFormRefusal where it cannot be read. */
export function formFrom(object: Readonly<Record<string, unknown>>): StoreForm {
  const { form, usableFrom, release: writer } = object;
  if (!Number.isSafeInteger(form) || !Number.isSafeInteger(usableFrom))
    throw new StoreFormRefusal(`the form of the store cannot be read by release ${release}`);
  return { form: Number(form), usableFrom: Number(usableFrom), release: String(writer) };
}

/** Asserts that this release may use what has a form. */
export function assertUsable(what: string, { form, usableFrom, release: writer }: StoreForm): void {
  if (usableFrom > ownForm.form)
    throw new StoreFormRefusal(
      `${what} has form ${form} of release ${writer}, and release ${release} uses form ${ownForm.form}: run release ${writer} or later, or restore a backup that was made before the upgrade`,
    );
}

/** Milliseconds between looks at the form of a store that other processes use too. */
const lookMs = 2_000;

/**
 * Looks at the form of a store until the signal aborts. Rejects with a StoreFormRefusal when a newer release has given it a form that
 * this one must not use.
 */
export async function followStoreForm(storage: Storage, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(lookMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    using call = createCallContext({ timeoutMs: lookMs, signal });
    try {
      await readStoreForm(storage, call);
    } catch (thrown) {
      // The store may be away; then there is nothing to be written either.
      if (thrown instanceof StoreFormRefusal) throw thrown;
    }
  }
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(readJson(Buffer.from(bytes).toString(), false));
  } catch {
    return {};
  }
}
