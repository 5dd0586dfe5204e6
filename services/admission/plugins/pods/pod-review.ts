import type { Pod, PodSpec } from '@binnacle/api-types/core/v1';
import { forbidden, type StatusError } from '@binnacle/status-errors';
import { isOfOwnKind, objectToChange, type Review } from '../../chain/review.ts';

/** The pod that a review is about. */
export interface ReviewedPod {
  readonly pod: Pod;
  readonly spec: PodSpec;
}

/** Whether a review is about pods, or what is below them. */
function isAboutPods({ definition }: Pick<Review, 'definition'>): boolean {
  return definition.group === '' && definition.resource === 'pods';
}

/** The pod of a creation or update; undefined for everything else, subresources but the given one among it. */
export function podUnderReview(review: Review, subresource = ''): ReviewedPod | undefined {
  const { object } = review;
  if (object === undefined || !isUnderReview(review, subresource)) return undefined;
  const pod: Pod = object;
  return { pod, spec: pod.spec ?? noSpec };
}

const noSpec: PodSpec = Object.freeze({});

function isUnderReview(review: Review, subresource: string): boolean {
  const { operation } = review;
  if (!isAboutPods(review) || review.object === undefined || review.subresource !== subresource) return false;
  return (operation === 'CREATE' || operation === 'UPDATE') && isOfOwnKind(review);
}

/** The pod of a creation or update, for a plugin that changes it; undefined as that of `podUnderReview`. */
export function podToChange(review: Review, subresource = ''): ReviewedPod | undefined {
  if (!isUnderReview(review, subresource)) return undefined;
  const pod: Pod = objectToChange(review);
  pod.spec ??= {};
  return { pod, spec: pod.spec };
}

/** The pod of a creation, for a plugin that changes it; undefined for everything else. */
export function newPodToChange(review: Review): ReviewedPod | undefined {
  return review.operation === 'CREATE' ? podToChange(review) : undefined;
}

/** The pod of a creation; undefined for everything else. */
export function podUnderCreation(review: Review): ReviewedPod | undefined {
  return review.operation === 'CREATE' ? podUnderReview(review) : undefined;
}

/** The pod before an update; undefined for a creation. A rule that it breaks already is no reason to refuse the update. */
export function podSpecBefore({ oldObject }: Review): PodSpec | undefined {
  const old: Pod | undefined = oldObject;
  return old?.spec;
}

/** 403: a plugin does not permit the write, for this reason. */
export function forbidWrite({ definition, object, name }: Review, why: string): StatusError {
  const { group, resource } = definition;
  return forbidden({ group, resource }, object?.metadata.name ?? name, why);
}
