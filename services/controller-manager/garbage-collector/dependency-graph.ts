import { type ObjectMeta, type OwnerReference, splitApiVersion } from '@binnacle/api-objects';
import type { DiscoveredResource } from '../discovery/discover-resources.ts';
import type { DeletionStage } from './deletion-stage.ts';

/** The data that the collector keeps of an object. */
export interface GraphObject {
  readonly uid: string;
  readonly type: DiscoveredResource;
  /** Namespace; empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly stage: DeletionStage;
  /** The metadata about owners and deletion. */
  readonly metadata: ObjectMeta;
}

const noneAffected: ReadonlySet<string> = new Set();

/**
 * The graph of objects and their owners, fed by the change feeds.
 *
 * Objects are identified by uid. An object names its owners, so the edges of an owner are kept whether or not the owner is known yet:
 * the feeds of different types have no common order. Each change returns the uids of the objects that it affects; a superfluous pass
 * does no harm, since it reads the current state from the API.
 */
export class DependencyGraph {
  readonly #objects = new Map<string, GraphObject>();
  /** Uids of the dependents, by the owner's uid. */
  readonly #dependents = new Map<string, Set<string>>();

  /** Number of known objects. */
  get size(): number {
    return this.#objects.size;
  }

  get(uid: string): GraphObject | undefined {
    return this.#objects.get(uid);
  }

  /** Finds the objects that name this one as an owner, itself excluded. */
  findDependents(uid: string): GraphObject[] {
    const dependents: GraphObject[] = [];
    for (const each of this.#dependents.get(uid) ?? []) {
      const dependent = this.#objects.get(each);
      if (dependent !== undefined && each !== uid) dependents.push(dependent);
    }
    return dependents;
  }

  /** Whether a known dependent blocks the foreground deletion of this object. */
  isBlocked(uid: string): boolean {
    for (const each of this.#dependents.get(uid) ?? []) {
      const dependent = each === uid ? undefined : this.#objects.get(each);
      if (dependent !== undefined && blocks(dependent, uid)) return true;
    }
    return false;
  }

  /** Whether every owner of an object is known under the reference's kind and namespace, and does not wait for its dependents. */
  standsByOwners(object: GraphObject): boolean {
    return object.owners.every(reference => {
      const owner = this.#objects.get(reference.uid);
      return (
        owner !== undefined && owner.stage !== 'deleting-dependents' && isNamedBy(owner, reference, object)
      );
    });
  }

  /** Records the current state of an object; returns the uids of affected objects. */
  observe(object: GraphObject): ReadonlySet<string> {
    const { uid } = object;
    const previous = this.#objects.get(uid);
    this.#objects.set(uid, object);
    this.#relink(object, previous);
    // Most changes affect none.
    let affected: Set<string> | undefined;
    if (object.stage !== previous?.stage && object.stage !== 'live') affected = withUid(affected, uid);
    if (!sameOwners(object, previous) && !this.standsByOwners(object)) affected = withUid(affected, uid);
    for (const dependent of this.findDependents(uid)) {
      const waits = object.stage === 'deleting-dependents' && previous?.stage !== object.stage;
      if (waits || (previous === undefined && !names(dependent, object)))
        affected = withUid(affected, dependent.uid);
    }
    for (const owner of previous?.owners ?? []) {
      if (!blocks(object, owner.uid) && this.#waits(owner.uid)) affected = withUid(affected, owner.uid);
    }
    return affected ?? noneAffected;
  }

  /** Records the end of an object; returns the uids of affected objects. */
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

  /** Drops all objects of a type, which affects no others: the objects may still exist. */
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

function withUid(uids: Set<string> | undefined, uid: string): Set<string> {
  return (uids ?? new Set<string>()).add(uid);
}

/** Whether the kind and namespace of an object match a dependent's reference to it; any version of the group matches. */
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
