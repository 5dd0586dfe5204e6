import type { ObjectMeta, OwnerReference } from '@binnacle/api-objects';
import type { BoundedMap } from '@binnacle/event-loop';
import type { DiscoveredResource } from '../discovery/discover-resources.ts';
import { deletionStageFromMetadata } from './deletion-stage.ts';
import type { GarbageApi } from './garbage-api.ts';

/** The standing of an owner for an object that names it. */
export type OwnerStanding =
  /** It exists and keeps its dependents. */
  | 'solid'
  /** It does not exist. */
  | 'absent'
  /** It is being deleted in the foreground, and waits for its dependents. */
  | 'waiting'
  /** It was deleted, and its dependents at that time were to be orphaned. */
  | 'let-go'
  /** Its kind is not served at the moment, but it may exist. */
  | 'unknown-kind'
  /** It is of a namespaced kind, and its dependent is cluster-scoped: such an owner cannot be found. */
  | 'out-of-reach';

/** An owner that an object names, with its standing. */
export interface ClassifiedOwner {
  readonly reference: OwnerReference;
  readonly standing: OwnerStanding;
}

/** Look-ups for the standing of owners. */
export interface OwnerKnowledge {
  readonly api: Pick<GarbageApi, 'read'>;
  /** Finds the type of an owner by apiVersion and kind; undefined when it is not served. */
  findKind(apiVersion: string, kind: string): DiscoveredResource | undefined;
  /** Owners that do not exist, according to the API. */
  readonly absent: BoundedMap<string, true>;
  /** Whether an owner was deleted without the dependents that were created at this time. */
  wasLetGo(ownerUid: string, dependentCreatedAt: string | undefined): boolean;
}

/** An object whose owners are classified, with its current metadata. */
interface Dependent {
  readonly namespace: string;
  readonly metadata: ObjectMeta;
}

/** Classifies each owner of an object by reading it from the API. An owner is absent only if the API says so, or said so before. */
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
    // A uid is never reused, so the owner stays absent.
    absent.set(key, true);
    return 'absent';
  }
  return deletionStageFromMetadata(owner) === 'deleting-dependents' ? 'waiting' : 'solid';
}
