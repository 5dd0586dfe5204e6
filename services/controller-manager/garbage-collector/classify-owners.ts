import type { ObjectMeta, OwnerReference } from '@binnacle/api-objects';
import type { BoundedMap } from '@binnacle/event-loop';
import type { DiscoveredResource } from '../discovery/discover-resources.ts';
import { deletionStageFromMetadata } from './deletion-stage.ts';
import type { GarbageApi } from './garbage-api.ts';

/** The standing of an owner for an object that names it. */
export type OwnerStanding =
  /** It exists, and the object stays with it. */
  | 'solid'
  /** There is no such object. */
  | 'absent'
  /** It is deleted, and waits for the objects that name it to go first. */
  | 'waiting'
  /** It was deleted, and the objects that it had then were to be let go. */
  | 'let-go'
  /** Its kind is not served, now: it may exist all the same. */
  | 'unknown-kind'
  /** It is of a kind in namespaces, and the object that names it in none: such an owner cannot be found. */
  | 'out-of-reach';

/** An owner that an object names, and what it turned out to be. */
export interface ClassifiedOwner {
  readonly reference: OwnerReference;
  readonly standing: OwnerStanding;
}

/** Look-ups that tell the standing of owners. */
export interface OwnerKnowledge {
  readonly api: Pick<GarbageApi, 'read'>;
  /** The type of an owner, by apiVersion and kind; undefined when it is not served. */
  findKind(apiVersion: string, kind: string): DiscoveredResource | undefined;
  /** Owners that the API said do not exist. */
  readonly absent: BoundedMap<string, true>;
  /** Whether an owner was deleted without the dependents that it had at this time. */
  wasLetGo(ownerUid: string, dependentCreatedAt: string | undefined): boolean;
}

/** The object whose owners are asked for: its metadata as the API has just given them. */
interface Dependent {
  readonly namespace: string;
  readonly metadata: ObjectMeta;
}

/** Asks the API for each owner of an object. An owner is absent only if the API says so, or said so before. */
export async function classifyOwners(
  { namespace, metadata }: Dependent,
  knowledge: OwnerKnowledge,
  signal: AbortSignal,
): Promise<readonly ClassifiedOwner[]> {
  const owners: ClassifiedOwner[] = [];
  for (const reference of metadata.ownerReferences ?? []) {
    const found = await findStanding(reference, namespace, knowledge, signal);
    const letGo =
      found === 'absent' && knowledge.wasLetGo(reference.uid, metadata.creationTimestamp ?? undefined);
    owners.push({ reference, standing: letGo ? 'let-go' : found });
  }
  return owners;
}

async function findStanding(
  reference: OwnerReference,
  namespace: string,
  { api, findKind, absent }: OwnerKnowledge,
  signal: AbortSignal,
): Promise<OwnerStanding> {
  const { apiVersion, kind, name, uid } = reference;
  const type = findKind(apiVersion, kind);
  if (type === undefined) return 'unknown-kind';
  if (type.namespaced && namespace === '') return 'out-of-reach';
  const address = { type, namespace: type.namespaced ? namespace : '', name };
  const key = [type.group, type.resource, address.namespace, name, uid].join('/');
  if (absent.has(key)) return 'absent';
  const owner = await api.read(address, signal);
  if (owner?.uid !== uid) {
    // A uid is given once: the owner does not come back.
    absent.set(key, true);
    return 'absent';
  }
  return deletionStageFromMetadata(owner) === 'deleting-dependents' ? 'waiting' : 'solid';
}
