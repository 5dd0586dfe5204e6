import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Vocabulary, vocabulary } from '@binnacle/api-names';
import { encodeStored } from '@binnacle/codecs';
import { deadlineIn } from '@binnacle/proto';
import { apiNamesKey, listPages, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { encodeApiNames } from '../api-names/api-names-record.ts';

/** Limits of a call of a test. */
export const callOfTest = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });

/** The stored bytes of a ConfigMap. */
export function storedConfigMap(name: string, text: string): Uint8Array {
  return encodeStored({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { text } });
}

/** Puts values under keys, one transaction after the other. */
export async function putValues(
  storage: Storage,
  values: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await storage.transact(
      { preconditions: [], puts: [{ key: storageKeyFrom(key), value }], deletes: [] },
      callOfTest(),
    );
}

/** Fills an empty store with objects, reservations, and what belongs to one deployment alone. */
export async function fillStore(
  storage: Storage,
  objects: number,
  apiNames: Vocabulary = vocabulary,
): Promise<void> {
  await putValues(storage, {
    [apiNamesKey]: encodeApiNames({ apiNames }),
    [`${apiNamesKey}/kept`]: Buffer.from('kept'),
    '/_claims/services/cluster-ip/10.96.0.1': Buffer.from('/core/services/default/kept'),
    '/_servers/192.0.2.1:6443': Buffer.from('192.0.2.1:6443'),
  });
  for (let index = 0; index < objects; index++)
    await putValues(storage, {
      [`/core/configmaps/default/m${index}`]: storedConfigMap(`m${index}`, 'x'.repeat(index)),
    });
}

/** Reads the keys and values below a prefix; those of a revision where one is named. */
export async function readValues(
  storage: Storage,
  prefix: string,
  atRevision?: number,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const query = { prefix: storageKeyFrom(prefix), ...(atRevision === undefined ? {} : { atRevision }) };
  for await (const { records } of listPages(storage, query, { nextCall: callOfTest }))
    for (const { key, value } of records) found.set(key, Buffer.from(value).toString('latin1'));
  return found;
}

/** Makes a folder for the tests of a file, which is removed after them. */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-backup-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
