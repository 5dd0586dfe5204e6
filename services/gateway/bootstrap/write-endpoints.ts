import { type ApiObject, copyJson, equalJson } from '@binnacle/api-objects';
import { objectKey, prepareForUpdate, type ResourceDefinition, type TypeRegistry } from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import {
  type Storage,
  type StorageRecord,
  storageKeyFrom,
  type Transaction,
} from '@binnacle/storage-contract';
import {
  endpointsOfServers,
  isServerSlice,
  type ServerObject,
  type ServerObjectName,
  serverEndpoints,
  serverSlice,
} from './endpoints-of-servers.ts';
import { newObject } from './ensure-objects.ts';
import { listRecords, type ServerAddress } from './server-leases.ts';

/** Services that write the Endpoints of the servers. */
export interface EndpointsServices {
  readonly registry: TypeRegistry;
  readonly storage: Pick<Storage, 'get' | 'list' | 'transact'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

type Change = Pick<Transaction['preconditions'][number], 'key' | 'revision'> & {
  /** Undefined: the object is removed. */
  readonly value: Uint8Array | undefined;
};

const mostAttempts = 5;

/**
 * Brings the Endpoints and slices of the API's service to the servers that have a lease, in one transaction, and only where
 * they differ. The servers are read after the objects and the objects are written at the revisions that were read: a server
 * that gives up its lease and then writes is not put back by another one that knew of the lease.
 */
export async function writeEndpoints(
  services: EndpointsServices,
  servers: () => Promise<readonly ServerAddress[]>,
  call: CallContext,
): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const current = await readObjects(services, call);
    const changes = changesTo(current, await servers(), services);
    if (changes.length === 0) return;
    const { committed } = await services.storage.transact(transactionFromChanges(changes), call);
    if (committed) return;
  }
  throw new Error('too many servers write the endpoints at the same time');
}

/** The Endpoints, and all slices whose names begin as theirs, by their keys. */
type Current = ReadonlyMap<string, StorageRecord>;

async function readObjects({ registry, storage }: EndpointsServices, call: CallContext): Promise<Current> {
  const records = new Map<string, StorageRecord>();
  const key = findKey(registry, serverEndpoints);
  const { record } = key === undefined ? {} : await storage.get(key, call);
  if (record !== undefined) records.set(record.key, record);
  const prefix = findKey(registry, serverSlice);
  if (prefix === undefined) return records;
  for (const slice of await listRecords(storage, prefix, call)) records.set(slice.key, slice);
  return records;
}

function changesTo(
  current: Current,
  servers: readonly ServerAddress[],
  services: EndpointsServices,
): Change[] {
  const { endpoints, slices } = endpointsOfServers(servers);
  const wanted = new Set<string>();
  const changes: Change[] = [];
  for (const object of [endpoints, ...slices]) {
    const key = findKey(services.registry, object);
    const definition = findDefinition(services.registry, object);
    if (key === undefined || definition === undefined) continue;
    wanted.add(key);
    const record = current.get(key);
    const value = storedForm(object, definition, { record, now: services.clock() });
    if (value !== undefined) changes.push({ key, revision: record?.revision ?? 0, value });
  }
  const leftOver = [...current.values()].filter(
    ({ key, value, revision }) => !wanted.has(key) && isServerSlice(decodeStored(value, revision)),
  );
  return [...changes, ...leftOver.map(({ key, revision }) => ({ key, revision, value: undefined }))];
}

interface StoredNow {
  readonly record: StorageRecord | undefined;
  readonly now: number;
}

/** The bytes to store; undefined when they are stored already. */
function storedForm(
  { labels, fields, ...object }: ServerObject,
  definition: ResourceDefinition,
  { record, now }: StoredNow,
): Uint8Array | undefined {
  const content = { ...fields, metadata: { labels: { ...labels } } };
  const created = newObject({ ...object, content }, definition, now);
  if (record === undefined) return encodeStored(created);
  const stored = decodeStored(record.value, record.revision);
  const updated = copyJson(stored) as ApiObject; // The copy of an object is one.
  updated.metadata.labels = { ...updated.metadata.labels, ...labels };
  for (const field of Object.keys(fields)) updated[field] = created[field] ?? null;
  if (equalJson(updated, stored)) return undefined;
  // The type of a slice's addresses stays what it is: this is another slice.
  if (stored['addressType'] !== updated['addressType']) return encodeStored(created);
  prepareForUpdate(definition, updated, stored);
  return encodeStored(updated);
}

function transactionFromChanges(changes: readonly Change[]): Transaction {
  return {
    preconditions: changes.map(({ key, revision }) => ({ key, revision })),
    puts: changes.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }])),
    deletes: changes.flatMap(({ key, value }) => (value === undefined ? [key] : [])),
  };
}

/** A type that is switched off has no objects. */
function findDefinition(registry: TypeRegistry, object: ServerObjectName): ResourceDefinition | undefined {
  return registry.resource(object.group, object.version, object.resource);
}

function findKey(registry: TypeRegistry, object: ServerObjectName) {
  const definition = findDefinition(registry, object);
  return definition && storageKeyFrom(objectKey(definition, object.namespace, object.name));
}
