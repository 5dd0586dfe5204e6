import { understood } from '@binnacle/api-names';
import { copyJson, equalJson } from '@binnacle/api-objects';
import type { PersistentVolumeClaim } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import { type NodeReview, refusal } from './node-review.ts';

const leaseNamespaces = understood.namespaces.nodeLease;
/** Fields of a claim's status that a node agent sets while it expands the file system of the volume. */
const agentStatus = ['capacity', 'conditions', 'allocatedResources', 'resizeStatus'] as const;

/** Asserts that a node agent writes only the lease of its name, in the namespace of node leases. */
export function assertOwnLease({ review, nodeName }: NodeReview): void {
  if (!leaseNamespaces.includes(review.namespace))
    throw refusal(review, `node ${nodeName} may write leases only in the namespace of node leases`);
  assertNamedLikeNode(review, nodeName);
}

/** Asserts that a node agent writes only the CSINode of its name. */
export function assertOwnCsiNode({ review, nodeName }: NodeReview): void {
  assertNamedLikeNode(review, nodeName);
}

/** Asserts that a node agent changes only the size and the conditions of the volume in the status of a claim. */
export function assertClaimCapacity({ review, nodeName }: NodeReview): void {
  const { subresource, operation, object, oldObject } = review;
  if (subresource !== 'status' || operation !== 'UPDATE')
    throw refusal(review, `node ${nodeName} may write the status of claims only`);
  if (object === undefined || oldObject === undefined) return;
  if (!equalJson(withoutCapacity(object), withoutCapacity(oldObject)))
    throw refusal(review, `node ${nodeName} may change only the capacity and the conditions of claims`);
}

function assertNamedLikeNode(review: Review, nodeName: string): void {
  const requested = review.name || review.object?.metadata.name;
  if (requested !== nodeName)
    throw refusal(review, `node ${nodeName} may write only the object that has its name`);
}

function withoutCapacity(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const copy = copyJson(claim);
  for (const field of agentStatus) delete copy.status?.[field];
  delete copy.metadata.managedFields;
  delete copy.metadata.resourceVersion;
  return copy;
}
