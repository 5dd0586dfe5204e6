import { settingName } from '@binnacle/flags';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import { listPages, type Storage, storeFormKey } from '@binnacle/storage-contract';
import { isEncrypted } from '../encryption/stored-prefix.ts';
import { putEncryptedTypes, type StoreForm, StoreFormRefusal, usableForm } from './store-form.ts';

/** Milliseconds that a page of a type may take. */
const pageMs = 10_000;

/**
 * Takes the encrypted types from the record of a store that has no encrypted values any more, for a process without an encryption
 * configuration. Reads all values of these types. Throws a StoreFormRefusal where one is encrypted: the process would fail reads of it,
 * and write plaintext beside it.
 */
export async function clearEncryptedTypes(storage: Storage, signal: AbortSignal): Promise<void> {
  const nextCall = (): CallContext => ({ signal, deadline: deadlineIn(pageMs) });
  const { record } = await storage.get(storeFormKey, nextCall());
  const { encryptedTypes = [] } = record === undefined ? {} : usableForm(record.value);
  for (const prefix of encryptedTypes)
    for await (const { records } of listPages(storage, { prefix }, { nextCall })) {
      const encrypted = records.find(({ value }) => isEncrypted(value));
      if (encrypted !== undefined)
        throw new StoreFormRefusal(
          `the value of ${encrypted.key} is encrypted, and this process has no encryption configuration: set ${configurationSetting} to one with its key, or rewrite the values in plaintext first, with identity as first provider and "binnaclectl secrets rewrite"`,
        );
    }
  // Another process may have begun to encrypt meanwhile: the caller reads the record once more.
  await putEncryptedTypes(storage, { record, types: [] }, nextCall());
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
