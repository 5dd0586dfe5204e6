import type { JsonObject } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import { equalFieldSets, union } from './field-sets/algebra.ts';
import { depthLimit, isTooDeep } from './field-sets/depth-limit.ts';
import type { FieldSet } from './field-sets/field-set.ts';
import { capUpdateManagers } from './managers/cap-update-managers.ts';
import type { ManagedFields } from './managers/managed-fields.ts';
import { type ManagerId, managerIdOf } from './managers/manager-id.ts';
import { recordUpdateSteps } from './managers/record-update.ts';
import { conversionsOf, type ManagedWrite, versionsOf, withoutManagedFields } from './managers/request.ts';
import { stripUnmanaged } from './managers/unmanaged-fields.ts';
import { type Converting, convertedAtOnce, type ServedVersions, type Versions } from './managers/versions.ts';

/** A create, an update or a patch other than apply. */
interface UpdateRequest<V extends ServedVersions = Versions> extends ManagedWrite<V> {
  /** The object before; for a create `emptyObjectOf` the type, or `{}`. */
  readonly live: JsonObject;
  /** The object after, with defaults. */
  readonly next: JsonObject;
}

/** Stands for the manager while it is compared with its own earlier writes. */
const thisWrite = '';

/**
 * Records a write other than apply, and answers who manages what after it (spec 1, server-side apply, 4 and 5): the
 * manager alone manages what it changed; fields that are gone have no manager; managers without fields are
 * gone. A write that sets nothing leaves the manager and its time as they are. The caller decides whether an object
 * without any managers is to get some. Throws BadRequest for an object that nests too deep.
 */
export function update(request: UpdateRequest): ManagedFields {
  return convertedAtOnce(updateSteps(request), conversionsOf(request));
}

/** A write as `update` records it, for conversions that take their time. */
export function* updateSteps(request: UpdateRequest<ServedVersions>): Converting<ManagedFields> {
  const next = withoutManagedFields(request.next);
  if (isTooDeep(next)) throw badRequest(`objects nest at most ${depthLimit} levels deep`);
  const { managed, apiVersion, subresource = '' } = request;
  const id = managerIdOf({
    manager: request.manager || 'unknown',
    operation: 'Update',
    apiVersion,
    subresource,
  });
  const managers = new Map(
    yield* recordUpdateSteps({
      live: withoutManagedFields(request.live),
      next,
      managers: managed.managers,
      manager: thisWrite,
      apiVersion,
      versions: versionsOf(request),
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
  return capUpdateManagers({ managers, times: timesOf(managers, times) });
}

/** The earlier set where it is equal: its written form is known. */
function sameFields(before: FieldSet | undefined, fields: FieldSet): FieldSet {
  return before !== undefined && equalFieldSets(before, fields) ? before : fields;
}

function timesOf(
  managers: ReadonlyMap<string, unknown>,
  times: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map([...times].filter(([id]: readonly [ManagerId | string, string]) => managers.has(id)));
}
