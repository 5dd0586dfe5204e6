import type { JsonValue } from '@binnacle/api-objects';
import { difference, recursiveDifference, union } from '../field-sets/algebra.ts';
import { emptyFieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import { type FieldManagers, reconcileManagers } from './field-managers.ts';
import { managersAfterChange } from './managers-after-change.ts';
import { type Converting, convertedAtOnce, getView, type ServedVersions, type Versions } from './versions.ts';

/** A write other than an apply. */
interface RecordUpdateRequest<V extends ServedVersions = Versions> {
  /** The object before the write, in the version of the write. */
  readonly live: JsonValue;
  /** The object after the write. */
  readonly next: JsonValue;
  readonly managers: FieldManagers;
  /** The identity of the writing manager. */
  readonly manager: string;
  /** The version of the write, one of `versions`. */
  readonly apiVersion: string;
  readonly versions: V;
}

/**
 * Records a write other than an apply: fields that it changed belong only to the writing manager; fields that it removed have no
 * manager; unchanged fields keep their managers.
 */
export function recordUpdate(request: RecordUpdateRequest): FieldManagers {
  return convertedAtOnce(recordUpdateSteps(request), request.versions);
}

/** Records a write as `recordUpdate` does, with asynchronous conversions. */
export function* recordUpdateSteps(request: RecordUpdateRequest<ServedVersions>): Converting<FieldManagers> {
  const { apiVersion, versions, manager } = request;
  const { schema, resetFields = emptyFieldSet } = getView(versions, apiVersion);
  const { comparison, managers } = yield* managersAfterChange({
    before: { apiVersion, object: request.live, schema },
    after: { apiVersion, object: request.next, schema },
    managers: reconcileManagers(request.managers, versions),
    manager,
    versions,
  });
  const { added, modified, removed } = comparison;
  yield;
  const kept = difference(managers.get(manager)?.fields ?? emptyFieldSet, removed);
  const fields = recursiveDifference(union(union(kept, modified), added), resetFields);
  managers.delete(manager);
  if (!isEmptyFieldSet(fields)) managers.set(manager, { apiVersion, applied: false, fields });
  return managers;
}
