import { decodeStored } from '@binnacle/codecs';
import { settingName } from '@binnacle/flags';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import {
  findStorageKey,
  listPages,
  type Storage,
  type StorageKey,
  storeFormKey,
} from '@binnacle/storage-contract';
import {
  beginsWith,
  type ConfiguredTypes,
  isEncrypted,
  plaintextPrefix,
} from '../encryption/stored-prefix.ts';
import { putEncryption, type StoreForm, StoreFormRefusal, usableForm } from './store-form.ts';

/** Milliseconds that a page of a type may take. */
const pageMs = 10_000;
const plaintextAlone: readonly string[] = [plaintextPrefix];

/**
 * Returns the types that may have values which a process cannot read, by what the record of the store's form says of them; undefined as
 * configured types: the process has no encryption configuration.
 */
export function typesToSearch(
  { encryptedTypes = [], valuePrefixes = {} }: Partial<StoreForm>,
  configured: ConfiguredTypes | undefined,
): StorageKey[] {
  const recorded = Object.keys(valuePrefixes).flatMap(type => findStorageKey(type) ?? []);
  const types = new Set([...encryptedTypes, ...recorded, ...(configured?.readable.keys() ?? [])]);
  return [...types].filter(type => {
    const readable = configured?.readable.get(type) ?? plaintextAlone;
    const isReadable = valuePrefixes[type]?.every(prefix => readable.includes(prefix)) ?? false;
    // A process of an earlier release names its types without prefixes.
    return !isReadable || (configured === undefined && encryptedTypes.includes(type));
  });
}

/**
 * Searches the types of which a store may have values that a process cannot read, and then has the record say what they have. Throws a
 * StoreFormRefusal where there is such a value: reads of it would fail, and a process without an encryption configuration would write
 * plaintext beside it. A value that is damaged, and not one of another provider, is none.
 */
export async function searchStoredValues(
  storage: Storage,
  configured: ConfiguredTypes | undefined,
  signal: AbortSignal,
): Promise<void> {
  const nextCall = (): CallContext => ({ signal, deadline: deadlineIn(pageMs) });
  const { record } = await storage.get(storeFormKey, nextCall());
  const { encryptedTypes = [], valuePrefixes = {} }: Partial<StoreForm> =
    record === undefined ? {} : usableForm(record.value);
  const searched = typesToSearch({ encryptedTypes, valuePrefixes }, configured);
  if (searched.length === 0) return;
  for (const type of searched) {
    const prefixes = configured?.readable.get(type) ?? plaintextAlone;
    const readable = prefixes.map(prefix => Buffer.from(prefix));
    for await (const { records } of listPages(storage, { prefix: type }, { nextCall }))
      for (const { key, value } of records)
        if (!isReadable(value, readable)) assertDamaged(key, value, configured !== undefined);
  }
  const types = encryptedTypes.filter(type => !searched.includes(type) || configured?.readable.has(type));
  const present = new Map(Object.entries(valuePrefixes));
  for (const type of searched) {
    const readable = configured?.readable.get(type);
    if (readable === undefined) present.delete(type);
    else present.set(type, readable);
  }
  // Another process may have begun to encrypt meanwhile: the caller reads the record once more.
  const after = { record, encryptedTypes: types, valuePrefixes: Object.fromEntries(present) };
  await putEncryption(storage, after, nextCall());
}

function isReadable(value: Uint8Array, prefixes: readonly Buffer[]): boolean {
  return prefixes.some(prefix => (prefix.length === 0 ? !isEncrypted(value) : beginsWith(value, prefix)));
}

/** Bytes of a value that are read for the name of its key. */
const prefixBytes = 1024;

/** Asserts that a value that no provider reads is damaged: it does not name a provider, and is no object in plaintext. */
function assertDamaged(key: StorageKey, value: Uint8Array, isConfigured: boolean): void {
  if (isEncrypted(value) && !isConfigured)
    throw new StoreFormRefusal(
      `the value of ${key} is encrypted, and this process has no encryption configuration: set ${configurationSetting} to one with its key, or rewrite the values in plaintext first, with identity as first provider and "binnaclectl secrets rewrite"`,
    );
  const provider = isEncrypted(value) ? findProvider(value) : isObject(value) && 'the provider identity';
  if (provider)
    throw new StoreFormRefusal(
      `the value of ${key} needs ${provider}, which ${configurationSetting} does not have for its type: keep it there, behind the others, until "binnaclectl secrets rewrite" has run for the type`,
    );
}

/** Describes the provider that a value names; undefined where it names none. */
function findProvider(value: Uint8Array): string | undefined {
  const text = Buffer.from(value.subarray(0, prefixBytes)).toString();
  const [, kind, version, name] = /^k8s:enc:(aescbc|aesgcm|secretbox|kms):(v[12]):([^:]+):/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return kind === 'kms'
    ? `the provider kms (${version}) with the name "${name}"`
    : `the provider ${kind} with a key of the name "${name}"`;
}

function isObject(value: Uint8Array): boolean {
  try {
    decodeStored(value, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asserts that no process encrypts values of a store that a process without an encryption configuration uses. */
export function assertNotEncrypting(form: StoreForm | undefined): void {
  const { encryptedTypes } = form ?? {};
  if (encryptedTypes !== undefined)
    throw new StoreFormRefusal(
      `another process encrypts values of ${encryptedTypes.join(', ')}, and this process has no encryption configuration: set ${configurationSetting} to that of the other process`,
    );
}

const configurationSetting = settingName('encryptionProviderConfig');
