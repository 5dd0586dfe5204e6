import { type Vocabulary, vocabularies } from '@binnacle/api-names';
import { readJson } from '@binnacle/api-objects';
import type { CallContext } from '@binnacle/proto';
import { ApiNamesRefusal } from '@binnacle/rpc';
import { apiNamesKey, type Revision, type Storage } from '@binnacle/storage-contract';

/** The API names of a store: the vocabulary of its objects and keys. */
export interface ApiNamesRecord {
  readonly apiNames: Vocabulary;
  /** Target of an unfinished conversion, during which the store has names of both vocabularies. */
  readonly convertingTo?: Vocabulary;
  /** Whether the unfinished conversion has rewritten all objects. */
  readonly isRewritten?: boolean;
  /** SHA-256 of the backup whose restore is not finished. */
  readonly restoring?: string;
}

/** The names record of a store with its revision; `undefined` and 0 where there is none. */
interface StoredApiNames {
  readonly record: ApiNamesRecord | undefined;
  readonly revision: Revision;
}

/** Reads the names record of a store. Throws an ApiNamesRefusal for a record that this release does not know. */
export async function readApiNames(storage: Storage, call: CallContext): Promise<StoredApiNames> {
  const { record } = await storage.get(apiNamesKey, call);
  return record === undefined
    ? { record: undefined, revision: 0 }
    : { record: decodeApiNames(record.value), revision: record.revision };
}

/** Encodes a names record. */
export function encodeApiNames(record: ApiNamesRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Decodes a names record. Throws an ApiNamesRefusal for one that this release does not know. */
export function decodeApiNames(bytes: Uint8Array): ApiNamesRecord {
  const { apiNames, convertingTo, isRewritten, restoring } = parsed(bytes);
  const known = vocabularies.find(name => name === apiNames);
  const target = vocabularies.find(name => name === convertingTo);
  if (known === undefined || (target === undefined && convertingTo !== undefined))
    throw new ApiNamesRefusal('the store has API names that this release does not know');
  return {
    apiNames: known,
    ...(target !== undefined && { convertingTo: target, isRewritten: isRewritten === true }),
    ...(restoring !== undefined && { restoring: String(restoring) }),
  };
}

/** Asserts that a store is a whole one; throws an ApiNamesRefusal for one that a restore has not finished. */
export function assertRestored({ restoring }: ApiNamesRecord): void {
  if (restoring !== undefined)
    throw new ApiNamesRefusal(
      `the restore of the store is not finished: run "binnaclectl restore" again with the backup whose SHA-256 is ${restoring}`,
    );
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(readJson(Buffer.from(bytes).toString(), false));
  } catch {
    return {};
  }
}
