import type { Pod, PodSpec } from '@binnacle/api-types/core/v1';
import { forbidden, type StatusError } from '@binnacle/status-errors';
import { isOfOwnKind, objectToChange, type Review } from '../../chain/review.ts';

/** The pod that a review is about. */
export interface ReviewedPod {
  readonly pod: Pod;
  readonly spec: PodSpec;
}

/** Whether a review is about pods or their subresources. */
function isAboutPods({ definition }: Pick<Review, 'definition'>): boolean {
  return definition.group === '' && definition.resource === 'pods';
}

/** Returns the pod of a creation or update of the resource, or of the given subresource; undefined for other reviews. */
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

/** Returns a changeable pod of a creation or update; undefined where `podUnderReview` is. */
export function podToChange(review: Review, subresource = ''): ReviewedPod | undefined {
  if (!isUnderReview(review, subresource)) return undefined;
  const pod: Pod = objectToChange(review);
  pod.spec ??= {};
  return { pod, spec: pod.spec };
}

/** Returns the changeable pod of a creation; undefined for other reviews. */
export function newPodToChange(review: Review): ReviewedPod | undefined {
  return review.operation === 'CREATE' ? podToChange(review) : undefined;
}

/** Returns the pod of a creation; undefined for other reviews. */
export function podUnderCreation(review: Review): ReviewedPod | undefined {
  return review.operation === 'CREATE' ? podUnderReview(review) : undefined;
}

/**
 * Returns the spec of the pod before an update; undefined for a creation. An update is not refused for a rule that this one breaks
 * too.
 */
export function podSpecBefore({ oldObject }: Review): PodSpec | undefined {
  const old: Pod | undefined = oldObject;
  return old?.spec;
}

/** Creates the refusal (403) of a write by a plugin, with its reason. */
export function forbidWrite({ definition, object, name }: Review, why: string): StatusError {
  const { group, resource } = definition;
  return forbidden({ group, resource }, object?.metadata.name ?? name, why);
}
