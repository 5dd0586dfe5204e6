import { union } from '../field-sets/algebra.ts';
import { compareTexts } from '../field-sets/value-order.ts';
import type { FieldManager } from './field-managers.ts';
import { type ManagedFields, secondsFromTime } from './managed-fields.ts';
import { managerIdFromIdentity } from './manager-id.ts';

/** Maximum number of Update managers of an object; Apply managers are not counted. */
export const updateManagerLimit = 10;

const bucketName = 'ancient-changes';

/**
 * Limits the number of Update managers: the fields of the oldest are merged into a manager `ancient-changes` of the same version.
 * A single manager of a version is kept, since merging it would save nothing.
 */
export function capUpdateManagers(managed: ManagedFields): ManagedFields {
  if (managed.managers.size <= updateManagerLimit) return managed;
  const updaters = [...managed.managers].filter(([, manager]) => !manager.applied).map(([id]) => id);
  if (updaters.length <= updateManagerLimit) return managed;
  const managers = new Map(managed.managers);
  const times = new Map(managed.times);
  const firstOfVersion = new Map<string, string>();
  let excess = updaters.length - updateManagerLimit;
  for (const id of oldestFirst(updaters, managed)) {
    if (excess === 0) break;
    const manager = managers.get(id)!; // Updaters are managers, and each is visited once.
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === id) continue;
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, id);
      continue;
    }
    const bucket = managerIdFromIdentity({
      manager: bucketName,
      operation: 'Update',
      apiVersion: manager.apiVersion,
      subresource: '',
    });
    const members = new Set([first, bucket, id]);
    const merged = [...members].map(member => managers.get(member)).filter(member => member !== undefined);
    for (const member of members) managers.delete(member);
    managers.set(bucket, mergeMembers(manager, merged));
    times.delete(bucket);
    const time = managed.times.get(id);
    if (time !== undefined) times.set(bucket, time);
    firstOfVersion.set(manager.apiVersion, bucket);
    excess = countUpdaters(managers) - updateManagerLimit;
  }
  return { managers, times };
}

function mergeMembers(manager: FieldManager, members: readonly FieldManager[]): FieldManager {
  return { ...manager, fields: members.map(member => member.fields).reduce(union) };
}

function countUpdaters(managers: ReadonlyMap<string, FieldManager>): number {
  let count = 0;
  for (const manager of managers.values()) if (!manager.applied) count++;
  return count;
}

function oldestFirst(ids: readonly string[], managed: ManagedFields): string[] {
  const age = (id: string) => secondsFromTime(managed.times.get(id));
  return [...ids].sort((a, b) => age(a) - age(b) || compareTexts(a, b));
}
