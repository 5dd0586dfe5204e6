import { difference, union } from '../field-sets/algebra.ts';
import {
  emptyFieldSet,
  fieldSetOfPaths,
  hasPath,
  isEmptyFieldSet,
  type Path,
} from '../field-sets/field-set.ts';
import { fieldElement } from '../field-sets/path-element.ts';
import type { FieldManager } from './field-managers.ts';
import type { ManagedFields } from './managed-fields.ts';
import { managerIdFromIdentity, parseManagerId } from './manager-id.ts';

/** The path of the replicas field in each version of a scalable kind. */
export type ReplicasPaths = ReadonlyMap<string, Path>;

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = fieldSetOfPaths([[fieldElement('spec'), fieldElement('replicas')]]);

/** Returns the managed fields of an object's scale: the managers of the replicas, each with spec.replicas of the Scale. */
export function managersOfScale(managed: ManagedFields, paths: ReplicasPaths): ManagedFields {
  const managers = new Map<string, FieldManager>();
  for (const [id, manager] of managed.managers) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !hasPath(manager.fields, path)) continue;
    managers.set(id, { apiVersion: scaleVersion, applied: manager.applied, fields: replicasOfScale });
  }
  return { managers, times: pickTimes(managers.keys(), managed.times) };
}

/**
 * Returns the managed fields of an object after a write of its scale: a manager that is no longer in the scale's managed fields
 * loses the replicas, a new one gets them in the given version of the kind. Managers in versions that are not in `paths` are
 * dropped.
 */
export function managersFromScale(
  managed: ManagedFields,
  scale: ManagedFields,
  kind: { readonly apiVersion: string; readonly paths: ReplicasPaths },
): ManagedFields {
  const managers = new Map<string, FieldManager>();
  for (const [id, manager] of managed.managers) {
    const path = kind.paths.get(manager.apiVersion);
    if (path === undefined) continue;
    const keeps = scale.managers.has(id);
    const fields = keeps ? manager.fields : difference(manager.fields, fieldSetOfPaths([path]));
    if (!isEmptyFieldSet(fields)) managers.set(id, keeps ? manager : { ...manager, fields });
  }
  const times = pickTimes(managers.keys(), managed.times);
  const path = kind.paths.get(kind.apiVersion);
  if (path === undefined) return { managers, times };
  const replicas = fieldSetOfPaths([path]);
  for (const [scaleId, { applied }] of scale.managers) {
    if (managed.managers.has(scaleId)) copyTime(scaleId, scale.times, { id: scaleId, times });
    else {
      const id = managerIdFromIdentity({ ...parseManagerId(scaleId), apiVersion: kind.apiVersion });
      const fields = union(managers.get(id)?.fields ?? emptyFieldSet, replicas);
      managers.set(id, { apiVersion: kind.apiVersion, applied, fields });
      copyTime(scaleId, scale.times, { id, times });
    }
  }
  return { managers, times };
}

function pickTimes(ids: Iterable<string>, times: ReadonlyMap<string, string>): Map<string, string> {
  const kept = new Map<string, string>();
  for (const id of ids) copyTime(id, times, { id, times: kept });
  return kept;
}

function copyTime(
  from: string,
  times: ReadonlyMap<string, string>,
  to: { readonly id: string; readonly times: Map<string, string> },
): void {
  const time = times.get(from);
  if (time !== undefined) to.times.set(to.id, time);
}
