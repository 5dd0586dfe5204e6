import type { Pod } from '@binnacle/api-types/core/v1';
import { forbidden, type StatusError } from '@binnacle/status-errors';
import { type Review, reviewedName } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';

/** A write of a node agent, and the sources of its check. */
export interface NodeReview {
  readonly review: Review;
  /** The node whose agent writes. */
  readonly nodeName: string;
  readonly pods: ObjectReader;
  readonly nodes: ObjectReader;
}

/** Creates the refusal of a write. */
export function refusal(review: Review, why: string): StatusError {
  return forbidden(review.definition, reviewedName(review), why);
}

/** The node that a pod is bound to; '' when it is bound to none. */
export function readBoundNode(pod: Pod | undefined): string {
  return pod?.spec?.nodeName ?? '';
}
