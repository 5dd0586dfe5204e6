import type { Admission, ReviewedWrite, WriteUnderReview } from '@binnacle/admission-contract';
import { type ApiObject, copyJson, copyJsonSteps, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { isLong, runInSlices, yieldAfterStep } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { resourceNotFound, StatusError } from '@binnacle/status-errors';
import type { AdmissionChain } from '../chain/admission-chain.ts';
import type { Review } from '../chain/review.ts';
import type { CustomTypes } from './custom-types.ts';

/** What reviews are made with. */
interface ReviewEnvironment {
  readonly customTypes: Pick<CustomTypes, 'find' | 'preconditionsFor'>;
  readonly chain: AdmissionChain;
}

/** Reviews writes: the chain changes the object in place and checks it; throws, or answers, why it is refused. */
export function createReviews({ customTypes, chain }: ReviewEnvironment): Admission {
  return {
    async review(write, call) {
      const definition = await customTypes.find(write.resource, call);
      if (definition === undefined) throw resourceNotFound();
      const review = reviewOf(write, definition, call);
      review.preconditions.push(...(await customTypes.preconditionsFor(review)));
      try {
        if (isLong(write.bytes)) await yieldAfterStep(write.bytes);
        const changed = await chain(review);
        if (isLong(write.bytes)) await yieldAfterStep(write.bytes);
        return answerOf(review, { object: changed ? review.object : undefined });
      } catch (thrown) {
        if (thrown instanceof StatusError && hasRemarks(review)) return answerOf(review, { refusal: thrown });
        throw thrown;
      }
    },
  };
}

/** Reviews of writes whose objects others hold: each is given a copy of the object. */
export function withCopies(reviews: Admission): Admission {
  return {
    async review(write, call) {
      const { object, bytes } = write;
      if (object === undefined) return await reviews.review(write, call);
      const json = object as JsonObject;
      const copy = isLong(bytes) ? await runInSlices(copyJsonSteps(json)) : copyJson(json);
      return await reviews.review({ ...write, object: copy as JsonObject as ApiObject }, call);
    },
  };
}

/** An error would say nothing of what webhooks remarked before the write was refused. */
function hasRemarks({ warnings, auditAnnotations, webhookSeconds }: Review): boolean {
  return warnings.length > 0 || webhookSeconds > 0 || Object.keys(auditAnnotations).length > 0;
}

/** The answer to a review: what changes with the write, or why there is none. */
function answerOf(
  review: Review,
  { object, refusal }: { readonly object?: ApiObject | undefined; readonly refusal?: StatusError },
): ReviewedWrite {
  const { warnings, auditAnnotations, webhookSeconds } = review;
  const remarks = { object, refusal, warnings, auditAnnotations, webhookSeconds };
  if (refusal !== undefined) return { ...remarks, preconditions: [], accessDemands: [], jointWrites: [] };
  const { preconditions, accessDemands, jointWrites } = review;
  return { ...remarks, preconditions, accessDemands, jointWrites };
}

function reviewOf(write: WriteUnderReview, definition: ResourceDefinition, call: CallContext): Review {
  return {
    operation: write.operation,
    definition,
    requestGroup: write.requestGroup,
    kind: write.kind,
    subresource: write.subresource,
    namespace: write.namespace,
    name: write.name,
    user: write.user,
    object: write.object,
    oldObject: write.oldObject,
    bytes: write.bytes,
    options: write.options,
    dryRun: write.dryRun,
    isRetry: write.isRetry,
    call,
    warnings: [],
    auditAnnotations: {},
    webhookSeconds: 0,
    preconditions: [],
    accessDemands: [],
    jointWrites: [],
    isReinvocation: false,
    shouldReinvoke: false,
  };
}
