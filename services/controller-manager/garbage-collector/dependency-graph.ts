import { type ObjectMeta, type OwnerReference, splitApiVersion } from '@binnacle/api-objects';
import type { DiscoveredResource } from '../discovery/discover-resources.ts';
import type { DeletionStage } from './deletion-stage.ts';

/** The facts that the collector keeps of an object. */
export interface GraphObject {
  readonly uid: string;
  readonly type: DiscoveredResource;
  /** Empty for an object that has none. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly stage: DeletionStage;
  /** The part of the metadata that bears on ownership and deletion. */
  readonly metadata: ObjectMeta;
}

/**
 * Objects and whom they belong to, as the change feeds tell.
 *
 * Objects are known by uid. An object names its owners, so the edges of an owner are kept whether or not the owner is
 * known yet: feeds of different types come in no order. A change tells which objects have to be looked at because of it,
 * by uid; an extra look does no harm, as it asks the API for the current state.
 */
export class DependencyGraph {
  readonly #objects = new Map<string, GraphObject>();
  /** Who names an owner, by the owner's uid. */
  readonly #dependents = new Map<string, Set<string>>();

  /** How many objects are known. */
  get size(): number {
    return this.#objects.size;
  }

  get(uid: string): GraphObject | undefined {
    return this.#objects.get(uid);
  }

  /** The objects that name this one as an owner, without itself. */
  findDependents(uid: string): GraphObject[] {
    const dependents: GraphObject[] = [];
    for (const each of this.#dependents.get(uid) ?? []) {
      const dependent = this.#objects.get(each);
      if (dependent !== undefined && each !== uid) dependents.push(dependent);
    }
    return dependents;
  }

  /** Whether a dependent is known before whose end this object does not go, when it is deleted in the foreground. */
  isBlocked(uid: string): boolean {
    for (const each of this.#dependents.get(uid) ?? []) {
      const dependent = each === uid ? undefined : this.#objects.get(each);
      if (dependent !== undefined && blocks(dependent, uid)) return true;
    }
    return false;
  }

  /** Whether every owner that an object names is known where the object says it is, and does not wait for its dependents. */
  standsByOwners(object: GraphObject): boolean {
    return object.owners.every(reference => {
      const owner = this.#objects.get(reference.uid);
      return (
        owner !== undefined && owner.stage !== 'deleting-dependents' && isNamedBy(owner, reference, object)
      );
    });
  }

  /** Takes in the present state of an object; returns whom to look at. */
  observe(object: GraphObject): ReadonlySet<string> {
    const { uid } = object;
    const previous = this.#objects.get(uid);
    this.#objects.set(uid, object);
    this.#relink(object, previous);
    const affected = new Set<string>();
    if (object.stage !== previous?.stage && object.stage !== 'live') affected.add(uid);
    if (!sameOwners(object, previous) && !this.standsByOwners(object)) affected.add(uid);
    for (const dependent of this.findDependents(uid)) {
      const waits = object.stage === 'deleting-dependents' && previous?.stage !== object.stage;
      if (waits || (previous === undefined && !names(dependent, object))) affected.add(dependent.uid);
    }
    for (const owner of previous?.owners ?? []) {
      if (!blocks(object, owner.uid) && this.#waits(owner.uid)) affected.add(owner.uid);
    }
    return affected;
  }

  /** Takes in that an object is gone; returns whom to look at. */
  forget(uid: string): ReadonlySet<string> {
    const object = this.#objects.get(uid);
    const affected = new Set<string>();
    if (object === undefined) return affected;
    this.#objects.delete(uid);
    for (const owner of object.owners) {
      this.#unlink(owner.uid, uid);
      if (this.#waits(owner.uid)) affected.add(owner.uid);
    }
    for (const dependent of this.findDependents(uid)) affected.add(dependent.uid);
    return affected;
  }

  /** Knows no objects of a type any more. Nothing follows from that: it says nothing about what exists. */
  dropType({ group, resource }: Pick<DiscoveredResource, 'group' | 'resource'>): void {
    for (const [uid, { type, owners }] of this.#objects) {
      if (type.group !== group || type.resource !== resource) continue;
      this.#objects.delete(uid);
      for (const owner of owners) this.#unlink(owner.uid, uid);
    }
  }

  #waits(uid: string): boolean {
    return this.#objects.get(uid)?.stage === 'deleting-dependents';
  }

  #relink({ uid, owners }: GraphObject, previous: GraphObject | undefined): void {
    for (const owner of previous?.owners ?? []) this.#unlink(owner.uid, uid);
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid);
      if (dependents === undefined) this.#dependents.set(owner.uid, new Set([uid]));
      else dependents.add(uid);
    }
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }
}

/** Whether an object is where one of its dependents looks for it; any version of its group will do. */
function isNamedBy(owner: GraphObject, reference: OwnerReference, dependent: GraphObject): boolean {
  return (
    reference.name === owner.name &&
    reference.kind === owner.type.kind &&
    splitApiVersion(reference.apiVersion).group === owner.type.group &&
    (owner.namespace === '' || owner.namespace === dependent.namespace)
  );
}

function names(dependent: GraphObject, owner: GraphObject): boolean {
  return dependent.owners.every(
    reference => reference.uid !== owner.uid || isNamedBy(owner, reference, dependent),
  );
}

function blocks({ owners }: GraphObject, uid: string): boolean {
  return owners.some(owner => owner.uid === uid && owner.blockOwnerDeletion === true);
}

function sameOwners({ owners }: GraphObject, previous: GraphObject | undefined): boolean {
  if (owners.length !== (previous?.owners.length ?? 0)) return false;
  return owners.every(({ uid, apiVersion, kind, name }) =>
    previous?.owners.some(
      other =>
        other.uid === uid && other.apiVersion === apiVersion && other.kind === kind && other.name === name,
    ),
  );
}
