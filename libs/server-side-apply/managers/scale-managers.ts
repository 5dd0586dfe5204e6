import { difference, union } from '../field-sets/algebra.ts';
import {
  emptyFieldSet,
  fieldSetOfPaths,
  hasPath,
  isEmptyFieldSet,
  type Path,
} from '../field-sets/field-set.ts';
import { fieldElement } from '../field-sets/path-element.ts';
import type { FieldOwner } from '../ownership/owners.ts';
import type { ManagedFields } from './managed-fields.ts';
import { managerIdOf, parseManagerId } from './manager-id.ts';

/** Where the replicas of a scalable kind stand, by the kind's versions. */
export type ReplicasPaths = ReadonlyMap<string, Path>;

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = fieldSetOfPaths([[fieldElement('spec'), fieldElement('replicas')]]);

/** The managers of the scale of an object: those who own its replicas, and of a Scale that field only. */
export function managersOfScale(managed: ManagedFields, paths: ReplicasPaths): ManagedFields {
  const owners = new Map<string, FieldOwner>();
  for (const [id, owner] of managed.owners) {
    const path = paths.get(owner.apiVersion);
    if (path === undefined || !hasPath(owner.fields, path)) continue;
    owners.set(id, { apiVersion: scaleVersion, applied: owner.applied, fields: replicasOfScale });
  }
  return { owners, times: timesOf(owners.keys(), managed.times) };
}

/**
 * The managers of an object after a write of its scale: a manager that the scale no longer has loses the replicas,
 * and one that is new there gets them, in the given version of the kind. Owners in versions that `paths` does
 * not name are dropped.
 */
export function managersFromScale(
  managed: ManagedFields,
  scale: ManagedFields,
  kind: { readonly apiVersion: string; readonly paths: ReplicasPaths },
): ManagedFields {
  const owners = new Map<string, FieldOwner>();
  for (const [id, owner] of managed.owners) {
    const path = kind.paths.get(owner.apiVersion);
    if (path === undefined) continue;
    const keeps = scale.owners.has(id);
    const fields = keeps ? owner.fields : difference(owner.fields, fieldSetOfPaths([path]));
    if (!isEmptyFieldSet(fields)) owners.set(id, keeps ? owner : { ...owner, fields });
  }
  const times = timesOf(owners.keys(), managed.times);
  const path = kind.paths.get(kind.apiVersion);
  if (path === undefined) return { owners, times };
  const replicas = fieldSetOfPaths([path]);
  for (const [scaleId, { applied }] of scale.owners) {
    if (managed.owners.has(scaleId)) copyTime(scaleId, scale.times, { id: scaleId, times });
    else {
      const id = managerIdOf({ ...parseManagerId(scaleId), apiVersion: kind.apiVersion });
      const fields = union(owners.get(id)?.fields ?? emptyFieldSet, replicas);
      owners.set(id, { apiVersion: kind.apiVersion, applied, fields });
      copyTime(scaleId, scale.times, { id, times });
    }
  }
  return { owners, times };
}

function timesOf(ids: Iterable<string>, times: ReadonlyMap<string, string>): Map<string, string> {
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
