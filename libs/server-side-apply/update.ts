import type { JsonObject } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import {
  difference,
  equalFieldSets,
  includes,
  intersection,
  recursiveDifference,
  union,
} from './field-sets/algebra.ts';
import { depthLimit, isTooDeep } from './field-sets/depth-limit.ts';
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from './field-sets/field-set.ts';
import { isLargeSet } from './field-sets/fields-v1.ts';
import { capUpdateManagers } from './managers/cap-update-managers.ts';
import { keepEncoded, type ManagedFields, noManagers } from './managers/managed-fields.ts';
import { type ManagerId, managerIdFromIdentity } from './managers/manager-id.ts';
import { recordUpdateSteps } from './managers/record-update.ts';
import {
  createConversions,
  createServedVersions,
  type ManagedWrite,
  withoutManagedFields,
} from './managers/request.ts';
import { stripUnmanaged, unmanagedFields } from './managers/unmanaged-fields.ts';
import { type Converting, convertedAtOnce, type ServedVersions, type Versions } from './managers/versions.ts';
import type { TypedSchema } from './schemas/typed-schema.ts';
import { compare } from './values/compare.ts';
import { reconcile } from './values/reconcile.ts';
import { setsExactly } from './values/sets-exactly.ts';

/** A create, an update or a patch other than apply. */
export interface UpdateRequest<V extends ServedVersions = Versions> extends ManagedWrite<V> {
  /** The object before the write; for a create, `createEmptyObject` of the type, or `{}`. */
  readonly live: JsonObject;
  /** The object after the write, with defaults. */
  readonly next: JsonObject;
}

/** Temporary id of the writing manager, which is compared with its own earlier writes. */
const thisWrite = '';

/**
 * Records a write other than apply and returns the managed fields after it (spec 1, server-side apply, 4 and 5): changed fields
 * belong only to the writing manager; removed fields have no manager; managers without fields are removed. A write that sets no
 * field keeps the manager and its time. The caller decides whether to track an object without managers. Throws BadRequest for an
 * object that nests too deep.
 */
export function update(request: UpdateRequest): ManagedFields {
  return convertedAtOnce(updateSteps(request), createConversions(request));
}

/** Records a write as `update` does, with asynchronous conversions. */
export function* updateSteps(request: UpdateRequest<ServedVersions>): Converting<ManagedFields> {
  return recordPlainly(request) ?? (yield* recordFullySteps(request));
}

function updateManagerId({
  manager,
  apiVersion,
  subresource = '',
}: UpdateRequest<ServedVersions>): ManagerId {
  return managerIdFromIdentity({
    manager: manager || 'unknown',
    operation: 'Update',
    apiVersion,
    subresource,
  });
}

/** Records any write, with asynchronous conversions; for those that `recordPlainly` does not record. */
export function* recordFullySteps(request: UpdateRequest<ServedVersions>): Converting<ManagedFields> {
  const { managed, apiVersion } = request;
  const id = updateManagerId(request);
  const managers = new Map(
    yield* recordUpdateSteps({
      live: withoutManagedFields(request.live),
      next: withoutManagedFields(request.next),
      managers: managed.managers,
      manager: thisWrite,
      apiVersion,
      versions: createServedVersions(request),
    }),
  );
  stripUnmanaged(managers, thisWrite);
  const times = new Map(managed.times);
  const taken = managers.get(thisWrite);
  managers.delete(thisWrite);
  if (taken !== undefined) {
    yield;
    const rest = managers.get(id);
    const fields = rest === undefined ? taken.fields : union(rest.fields, taken.fields);
    managers.set(id, { ...taken, fields: sameFields(managed.managers.get(id)?.fields, fields) });
    times.set(id, request.now);
  }
  return capUpdateManagers({ managers, times: pickTimes(managers, times) });
}

/**
 * Records the two most frequent writes, the first write of an object and a change of values that only its manager has; returns
 * undefined for all others. It allocates little. Throws BadRequest for an object that nests too deep.
 */
export function recordPlainly(request: UpdateRequest<ServedVersions>): ManagedFields | undefined {
  const { live, managed, schema, resetFields = emptyFieldSet, apiVersion, now } = request;
  const next = withoutManagedFields(request.next);
  if (isTooDeep(next)) throw badRequest(`objects nest at most ${depthLimit} levels deep`);
  const { managers, times } = managed;
  const id = updateManagerId(request);
  const own = managers.get(id);
  if (own === undefined && managers.size > 0) return undefined;
  // Managers of other versions may need conversions, and sets of an earlier schema an adaptation.
  for (const manager of managers.values())
    if (manager.apiVersion !== apiVersion || reconcile(manager.fields, schema) !== manager.fields)
      return undefined;
  const before = withoutManagedFields(live);
  if (own === undefined) {
    const fields = firstFields({ before, after: next }, schema, resetFields);
    if (isEmptyFieldSet(fields)) return noManagers;
    const manager = { apiVersion, applied: false, fields };
    return { managers: new Map([[id, manager]]), times: new Map([[id, now]]) };
  }
  const { added, modified, removed } = compare(before, next, schema);
  if (!isEmptyFieldSet(added)) return undefined;
  const set = difference(recursiveDifference(modified, resetFields), unmanagedFields);
  if (set !== modified || !includes(own.fields, modified)) return undefined;
  for (const [other, { fields }] of managers) {
    // Removed fields include those that only the server sets and clients omit; no manager has them.
    if (!isEmptyFieldSet(intersection(fields, removed))) return undefined;
    if (other !== id && !isEmptyFieldSet(intersection(fields, modified))) return undefined;
  }
  const after = isEmptyFieldSet(modified) ? times : new Map(times).set(id, now);
  return capUpdateManagers({ managers, times: after });
}

/** The fields that a write set, and those of them that its manager has. */
interface FirstFields {
  readonly set: FieldSet;
  readonly resetFields: FieldSet;
  readonly fields: FieldSet;
}

/** By schema, the last first. */
const knownFirstFields = new WeakMap<TypedSchema, readonly FirstFields[]>();
const mostFirstFields = 4;

/**
 * The fields that the manager of the first write of an object has. Most objects of a type are created with the same fields as one before:
 * these share its set, which is also encoded once.
 */
function firstFields(
  written: { readonly before: JsonObject; readonly after: JsonObject },
  schema: TypedSchema,
  resetFields: FieldSet,
): FieldSet {
  const known = knownFirstFields.get(schema) ?? [];
  for (const first of known)
    if (first.resetFields === resetFields && setsExactly(first.set, written, schema)) return first.fields;
  const { added, modified } = compare(written.before, written.after, schema);
  const set = union(modified, added);
  const fields = difference(recursiveDifference(set, resetFields), unmanagedFields);
  if (isLargeSet(set)) return fields;
  keepEncoded(fields);
  knownFirstFields.set(schema, [{ set, resetFields, fields }, ...known].slice(0, mostFirstFields));
  return fields;
}

/** Returns the earlier set if it is equal, since its encoded form is cached. */
function sameFields(before: FieldSet | undefined, fields: FieldSet): FieldSet {
  return before !== undefined && equalFieldSets(before, fields) ? before : fields;
}

function pickTimes(
  managers: ReadonlyMap<string, unknown>,
  times: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map([...times].filter(([id]: readonly [ManagerId | string, string]) => managers.has(id)));
}
