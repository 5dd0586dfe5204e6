import { isDeepStrictEqual } from 'node:util';
import { readJson } from '@binnacle/api-objects';
import { Refusal } from '@binnacle/backend-access';
import { release } from '@binnacle/build-info';
import type { CallContext } from '@binnacle/proto';
import {
  findStorageKey,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storeFormKey,
} from '@binnacle/storage-contract';
import type { ConfiguredTypes } from '../encryption/stored-prefix.ts';

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
  /** Prefixes of the types of which the store may have encrypted values; undefined: it has none. */
  readonly encryptedTypes?: readonly StorageKey[];
  /**
   * By type, what its values may begin with: the prefixes of providers with their keys, and `plaintextPrefix`. A type without an entry may
   * have values of any provider.
   */
  readonly valuePrefixes?: Readonly<Record<string, readonly string[]>>;
}

/** The form that this release writes; it reads this one and all before it. */
const ownForm: StoreForm = { form: 1, usableFrom: 1, release };

/** The form of a store, or of a backup, without a record. */
export const formWithoutRecord: StoreForm = { form: 1, usableFrom: 1, release };

/** The refusal of a store, or of a backup, for what the record of its form says. */
export class StoreFormRefusal extends Refusal {
  override readonly name = 'StoreFormRefusal';
}

/** Reads the form of a store; undefined where it has no record. Throws a StoreFormRefusal for one that this release must not use. */
export async function readStoreForm(storage: Storage, call: CallContext): Promise<StoreForm | undefined> {
  const { record } = await storage.get(storeFormKey, call);
  return record && usableForm(record.value);
}

/**
 * Makes sure that a store has a record of its form, and that the record has the types of a process among those that may have encrypted
 * values, with the prefixes of its providers: a process that encrypts does so before it encrypts the first value. Throws a StoreFormRefusal
 * for a form that this release must not use.
 */
export async function settleStoreForm(
  storage: Storage,
  configured: ConfiguredTypes | undefined,
  call: CallContext,
): Promise<void> {
  for (;;) {
    const { record } = await storage.get(storeFormKey, call);
    const before: StoreForm = record === undefined ? ownForm : usableForm(record.value);
    const { encryptedTypes = [], valuePrefixes = {} } = before;
    const types = new Set([...encryptedTypes, ...(configured?.encrypted ?? [])]);
    const prefixes = { ...valuePrefixes };
    for (const [type, readable] of configured?.readable ?? [])
      prefixes[type] = [...new Set([...(valuePrefixes[type] ?? []), ...readable])];
    const isKnown = types.size === encryptedTypes.length && isDeepStrictEqual(prefixes, valuePrefixes);
    if (record !== undefined && isKnown) return;
    const after = { record, encryptedTypes: [...types], valuePrefixes: prefixes };
    if (await putEncryption(storage, after, call)) return;
  }
}

/** The encrypted types and the prefixes of values in a record that was read. */
interface RecordedEncryption extends Required<Pick<StoreForm, 'encryptedTypes' | 'valuePrefixes'>> {
  readonly record: StorageRecord | undefined;
}

/** Writes the record of the form with what it says of encryption, unless it has changed since it was read; returns whether it was written. */
export async function putEncryption(
  storage: Storage,
  { record, encryptedTypes, valuePrefixes }: RecordedEncryption,
  call: CallContext,
): Promise<boolean> {
  // Fields that a newer release has written stay.
  const {
    encryptedTypes: _types,
    valuePrefixes: _prefixes,
    ...kept
  } = record === undefined ? ownForm : parsed(record.value);
  const value = Buffer.from(
    JSON.stringify({
      ...kept,
      ...(encryptedTypes.length > 0 && { encryptedTypes }),
      ...(Object.keys(valuePrefixes).length > 0 && { valuePrefixes }),
    }),
  );
  const preconditions = [{ key: storeFormKey, revision: record?.revision ?? 0 }];
  const { committed } = await storage.transact(
    { preconditions, puts: [{ key: storeFormKey, value }], deletes: [] },
    call,
  );
  return committed;
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
  const { form, usableFrom, release: writer, encryptedTypes, valuePrefixes } = object;
  if (!Number.isSafeInteger(form) || !Number.isSafeInteger(usableFrom))
    throw new StoreFormRefusal(`the form of the store cannot be read by release ${release}`);
  const types = Array.isArray(encryptedTypes)
    ? encryptedTypes.flatMap(type => findStorageKey(String(type)) ?? [])
    : [];
  const prefixes = Object.entries(Object(valuePrefixes) as object).flatMap(([type, each]) =>
    Array.isArray(each) ? [[type, each.map(String)] as const] : [],
  );
  return {
    form: Number(form),
    usableFrom: Number(usableFrom),
    release: String(writer),
    ...(types.length > 0 && { encryptedTypes: types }),
    ...(prefixes.length > 0 && { valuePrefixes: Object.fromEntries(prefixes) }),
  };
}

/** Asserts that this release may use what has a form. */
export function assertUsable(what: string, { form, usableFrom, release: writer }: StoreForm): void {
  if (usableFrom > ownForm.form)
    throw new StoreFormRefusal(
      `${what} has form ${form} of release ${writer}, and release ${release} uses form ${ownForm.form}: run release ${writer} or later, or restore a backup that was made before the upgrade`,
    );
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(readJson(Buffer.from(bytes).toString(), false));
  } catch {
    return {};
  }
}
