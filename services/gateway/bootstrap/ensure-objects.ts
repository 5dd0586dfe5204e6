import { annotations, understood } from '@binnacle/api-names';
import {
  type ApiObject,
  copyJson,
  equalJson,
  formatApiVersion,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nextGeneration,
  randomUid,
  timestampFrom,
} from '@binnacle/api-objects';
import {
  applyDefaults,
  isSameReference,
  objectKey,
  prepareForCreate,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/** An object that must exist, and how an existing one is brought up to date. */
export interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  /** The object but for kind and apiVersion; its metadata holds labels and annotations at most. */
  readonly content: JsonObject;
  /**
   * Whether the object is created again when it is deleted while servers run; others are created again at the next
   * start of a server.
   */
  readonly comesBack: boolean;
  /** The parts that are restored in an existing object that does not refuse it by annotation; undefined: none. */
  readonly reconciled: ReconciledParts | undefined;
  /**
   * Whether the specification is restored whenever it differs: always, or until an administrator takes the object
   * over. Absent: an existing specification is left alone.
   */
  readonly keptSpec?: 'always' | 'unlessOwned' | undefined;
  /** Updates an existing object on every pass; returns the object itself when it needs no change. */
  bring?(current: ApiObject): ApiObject;
}

/** The parts of a default object that are restored in an existing one. Labels and annotations that it lacks are added in any case. */
export interface ReconciledParts {
  /** The list whose missing entries are added. */
  readonly list: readonly string[];
  /** Whether a list lacks an entry. */
  lacks(present: readonly JsonValue[], entry: JsonValue): boolean;
  /** A field that cannot be changed: an object with another value is replaced. */
  readonly fixed?: string;
  /** Rules that are taken out, and what the object then lacks of the default rules is added. */
  readonly withdrawn?: WithdrawnRules;
}

/** Rules of a role that default roles do not have any more. */
export interface WithdrawnRules {
  /** Only rules that are equal in every value are taken out. */
  readonly rules: readonly JsonValue[];
  /** Whether rules lack rights of another one. */
  lacks(present: readonly JsonValue[], rule: JsonValue): boolean;
}

/** Services that create objects. */
export interface EnsureServices {
  readonly registry: TypeRegistry;
  readonly storage: Pick<Storage, 'get' | 'transact'>;
  readonly clock: () => number;
}

const atOnce = 8;

/**
 * Makes sure that objects exist and hold at least their default entries. Every write is a compare-and-swap, so any
 * number of servers may do this at the same time. Answers how many objects it wrote.
 */
export async function ensureObjects(
  objects: readonly BootstrapObject[],
  services: EnsureServices,
  call: CallContext,
): Promise<number> {
  let written = 0;
  for (let start = 0; start < objects.length; start += atOnce) {
    const part = objects.slice(start, start + atOnce);
    const outcomes = await Promise.all(part.map(object => ensureObject(object, services, call)));
    written += outcomes.filter(Boolean).length;
  }
  return written;
}

async function ensureObject(
  object: BootstrapObject,
  services: EnsureServices,
  call: CallContext,
): Promise<boolean> {
  const definition = services.registry.resource(object.group, object.version, object.resource);
  // A type that is switched off has no objects.
  if (definition === undefined) return false;
  const key = storageKeyFrom(objectKey(definition, object.namespace ?? '', object.name));
  const create = (): Promise<boolean> => {
    const created = newObject(object, definition, services.clock());
    const reservations = (definition.rules.reservationsFor?.(created) ?? []).map(storageKeyFrom);
    return commit({ key, value: encodeStored(created), revision: 0, reservations }, services, call);
  };
  const { record } = await services.storage.get(key, call);
  if (record === undefined) return await create();
  const change = changeTo(decodeStored(record.value, record.revision), object);
  switch (change.kind) {
    case 'none':
      return false;
    case 'replace':
      return (await commit({ key, value: undefined, revision: record.revision }, services, call))
        ? await create()
        : false;
    case 'update':
      return await commit(
        { key, value: encodeStored(change.object), revision: record.revision },
        services,
        call,
      );
  }
}

interface Commit {
  readonly key: StorageKey;
  /** Undefined: the object is removed. */
  readonly value: Buffer | undefined;
  readonly revision: number;
  /** The reservations of a new object. */
  readonly reservations?: readonly StorageKey[];
}

/** On a conflict another server wrote the same object, unless another object holds what this one reserves. */
async function commit(
  { key, value, revision, reservations = [] }: Commit,
  { storage }: EnsureServices,
  call: CallContext,
): Promise<boolean> {
  const preconditions = [
    { key, revision },
    ...reservations.map(reservation => ({ key: reservation, revision: 0 })),
  ];
  const transaction =
    value === undefined
      ? { preconditions, puts: [], deletes: [key] }
      : {
          preconditions,
          puts: [
            { key, value },
            ...reservations.map(reservation => ({ key: reservation, value: Buffer.from(key) })),
          ],
          deletes: [],
        };
  const outcome = await storage.transact(transaction, call);
  return outcome.committed;
}

/** The object as it is created, with what the server adds to it. */
export function newObject(
  object: Pick<BootstrapObject, 'name' | 'namespace' | 'content'>,
  definition: ResourceDefinition,
  now: number,
): ApiObject {
  const content = copyJson(object.content) as JsonObject;
  const created = {
    ...content,
    apiVersion: formatApiVersion(definition),
    kind: definition.kind,
    metadata: {
      ...objectAt(content, 'metadata'),
      name: object.name,
      ...(object.namespace !== undefined && { namespace: object.namespace }),
    },
  } as ApiObject; // Built from data that is written in the shape of its kind.
  applyDefaults(definition, created);
  prepareForCreate(definition, created);
  Object.assign(created.metadata, { uid: randomUid(), creationTimestamp: timestampFrom(now) });
  return created;
}

/** The change that brings an existing object up to date. */
type Change =
  /** The object lacks nothing, or refuses updates by annotation. */
  | { readonly kind: 'none' }
  | { readonly kind: 'update'; readonly object: ApiObject }
  /** The differing part cannot be changed. */
  | { readonly kind: 'replace' };

/** The change to parts of a default object that an existing one lacks, or that were withdrawn; other parts stay. */
export function changeTo(current: ApiObject, object: BootstrapObject): Change {
  const { content, reconciled, keptSpec } = object;
  if (object.bring !== undefined) {
    const brought = object.bring(current);
    return brought === current ? { kind: 'none' } : { kind: 'update', object: brought };
  }
  if (keptSpec !== undefined) return keptSpecChange(current, content, keptSpec);
  if (reconciled === undefined || findAutoupdate(current, understood.annotations.rbacAutoupdate) === 'false')
    return { kind: 'none' };
  const { fixed, list, lacks, withdrawn } = reconciled;
  if (fixed !== undefined && !isSameReference(current[fixed], content[fixed])) return { kind: 'replace' };
  const updated = copyJson(current) as ApiObject;
  for (const field of ['labels', 'annotations']) {
    const wanted = objectAt(objectAt(content, 'metadata'), field);
    const metadata = objectAt(updated, 'metadata');
    metadata[field] = { ...wanted, ...objectAt(metadata, field) };
  }
  if (withdrawn !== undefined && withdraw(updated, withdrawn))
    addMissing(updated, content, { list: ['rules'], lacks: withdrawn.lacks });
  addMissing(updated, content, { list, lacks });
  return equalJson(updated, current) ? { kind: 'none' } : { kind: 'update', object: updated };
}

/**
 * The change that restores the specification of an object. An annotation says whether servers or an administrator keep
 * a suggested object; without one the servers do, until its specification is changed for the first time.
 */
function keptSpecChange(
  current: ApiObject,
  content: JsonObject,
  kept: NonNullable<BootstrapObject['keptSpec']>,
): Change {
  const annotation = findAutoupdate(current, understood.annotations.apfAutoupdate);
  const generation = current.metadata.generation ?? 1;
  const isKept = kept === 'always' || annotation === 'true' || (annotation === undefined && generation === 1);
  const wanted = String(isKept);
  const updated = copyJson(current) as ApiObject; // The copy of an object is one.
  if (annotation !== wanted && kept === 'unlessOwned')
    updated.metadata.annotations = {
      ...updated.metadata.annotations,
      [annotations.apfAutoupdate]: wanted,
    };
  const spec = objectAt(content, 'spec');
  if (isKept && !equalJson(current['spec'], spec)) {
    updated['spec'] = copyJson(spec);
    updated.metadata.generation = nextGeneration(generation);
  }
  return equalJson(updated, current) ? { kind: 'none' } : { kind: 'update', object: updated };
}

/** The value of the annotation by which an object allows or refuses updates by servers; undefined without one. */
function findAutoupdate({ metadata }: ApiObject, aliases: readonly string[]): string | undefined {
  const alias = aliases.find(name => metadata.annotations?.[name] !== undefined);
  return alias && metadata.annotations?.[alias];
}

/** Removes withdrawn rules; returns whether there were any. */
function withdraw(updated: JsonObject, { rules }: WithdrawnRules): boolean {
  const present = listAt(updated, 'rules');
  const kept = present.filter(rule => !rules.some(other => equalJson(rule, other)));
  if (kept.length === present.length) return false;
  updated['rules'] = kept;
  return true;
}

function addMissing(
  updated: JsonObject,
  content: JsonObject,
  { list, lacks }: Pick<ReconciledParts, 'list' | 'lacks'>,
): void {
  const [field = '', ...deeper] = list;
  if (deeper.length > 0) {
    const nested = objectAt(updated, field);
    addMissing(nested, objectAt(content, field), { list: deeper, lacks });
    updated[field] = nested;
    return;
  }
  const present = listAt(updated, field);
  const missing = listAt(content, field).filter(entry => lacks(present, entry));
  if (missing.length > 0) updated[field] = [...present, ...copyJson(missing)];
}

function objectAt(object: JsonObject, field: string): JsonObject {
  return isJsonObject(object[field]) ? object[field] : {};
}

function listAt(object: JsonObject, field: string): JsonValue[] {
  return Array.isArray(object[field]) ? object[field] : [];
}
