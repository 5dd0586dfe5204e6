import { createTypeRegistry, objectKey, type ResourceDefinition } from '@binnacle/api-types';
import { encodeStored } from '@binnacle/codecs';
import { deadlineIn } from '@binnacle/proto';
import { type Change, type Storage, storageKeyFrom } from '@binnacle/storage-contract';

const registry = createTypeRegistry();

/** A definition of the core group by its plural name. */
export function coreDefinition(plural: string): ResourceDefinition {
  const definition = registry.resource('', 'v1', plural);
  if (definition === undefined) throw new Error(`no definition of ${plural}`);
  return definition;
}

export const configMaps: ResourceDefinition = coreDefinition('configmaps');
export const secrets: ResourceDefinition = coreDefinition('secrets');

/** A call that lasts as long as a test does. */
export function call(signal = new AbortController().signal) {
  return { signal, deadline: deadlineIn(60_000) };
}

/** Writes an object, or removes it where there is no text; gives the revision. */
export async function write(
  storage: Storage,
  definition: ResourceDefinition,
  path: string,
  text: string | undefined,
): Promise<number> {
  const [namespace = '', name = ''] = path.split('/');
  const key = storageKeyFrom(objectKey(definition, namespace, name));
  const metadata = { name, namespace, labels: { text: text ?? '' } };
  const value = encodeStored({ apiVersion: 'v1', kind: definition.kind, metadata });
  const outcome = await storage.transact(
    {
      preconditions: [],
      puts: text === undefined ? [] : [{ key, value }],
      deletes: text === undefined ? [key] : [],
    },
    call(),
  );
  return outcome.revision;
}

/** Many writes of a few objects of both types, some at once. */
export async function writeMuch(storage: Storage, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      [configMaps, secrets].flatMap(definition =>
        ['a/x', 'a/y', 'b/x', 'b/z'].map((path, i) =>
          write(storage, definition, path, (round + i) % 5 === 4 ? undefined : `v${round}`),
        ),
      ),
    );
  }
}

/** Everything that the store still knows of the past of a type, up to a revision. */
export async function readHistory(
  storage: Storage,
  definition: ResourceDefinition,
  upTo: number,
): Promise<readonly Change[]> {
  const stop = new AbortController();
  const changes: Change[] = [];
  for await (const batch of storage.changes({ from: 'window-start' }, call(stop.signal))) {
    for (const change of batch.changes) {
      if (change.key.startsWith(definition.storagePrefix) && change.revision <= upTo) changes.push(change);
    }
    if (batch.revision >= upTo) break;
  }
  stop.abort();
  return changes;
}
