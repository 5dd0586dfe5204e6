import type { Admission, ReviewedWrite, WriteUnderReview } from '@binnacle/admission-contract';
import { type ApiObject, copyJsonSteps, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { isLong, runInSlices, yieldAfterStep } from '@binnacle/event-loop';
import type { CallContext, RevisionPrecondition } from '@binnacle/proto';
import { resourceNotFound, StatusError } from '@binnacle/status-errors';
import type { AdmissionChain } from '../chain/admission-chain.ts';
import { type Review, replaceObject } from '../chain/review.ts';
import type { CustomTypes } from './custom-types.ts';

/** The environment of reviews. */
interface ReviewEnvironment {
  readonly customTypes: Pick<CustomTypes, 'find' | 'preconditionsFor'>;
  readonly chain: AdmissionChain;
}

/** Reviews writes: the chain checks the object, and changes a copy; throws, or answers, why the write is refused. */
export function createReviews({ customTypes, chain }: ReviewEnvironment): Admission {
  return {
    review(write, call) {
      const finding = customTypes.find(write.resource, call);
      if (finding instanceof Promise)
        return finding.then(definition => reviewWith(write, definition, { customTypes, chain, call }));
      return reviewWith(write, finding, { customTypes, chain, call });
    },
  };
}

function reviewWith(
  write: WriteUnderReview,
  definition: ResourceDefinition | undefined,
  { customTypes, chain, call }: ReviewEnvironment & { readonly call: CallContext },
): ReviewedWrite | Promise<ReviewedWrite> {
  if (definition === undefined) throw resourceNotFound();
  const review = reviewOf(write, definition, call);
  const found = customTypes.preconditionsFor(review);
  if (found instanceof Promise || isLong(write.bytes)) return reviewInSteps(review, found, chain);
  review.preconditions.push(...found);
  try {
    const running = chain(review);
    return running instanceof Promise
      ? running.then(
          () => acceptanceOf(review),
          thrown => refusalOf(review, thrown),
        )
      : acceptanceOf(review);
  } catch (thrown) {
    return refusalOf(review, thrown);
  }
}

/** A long object is copied before the chain: in slices, as no plugin could. */
async function reviewInSteps(
  review: Review,
  finding: readonly RevisionPrecondition[] | Promise<readonly RevisionPrecondition[]>,
  chain: AdmissionChain,
): Promise<ReviewedWrite> {
  review.preconditions.push(...(await finding));
  try {
    const { object, bytes } = review;
    if (object !== undefined && isLong(bytes)) {
      const copy = await runInSlices(copyJsonSteps(object as JsonObject));
      replaceObject(review, copy as JsonObject as ApiObject); // a copy of it
    }
    await yieldAfterStep(bytes);
    await chain(review);
    await yieldAfterStep(bytes);
    return acceptanceOf(review);
  } catch (thrown) {
    return refusalOf(review, thrown);
  }
}

function acceptanceOf(review: Review): ReviewedWrite {
  return answerOf(review, { object: review.isChanged ? review.object : undefined });
}

/** The answer with a refusal; throws the refusal itself where there is nothing to say beside it. */
function refusalOf(review: Review, thrown: unknown): ReviewedWrite {
  if (thrown instanceof StatusError && hasRemarks(review)) return answerOf(review, { refusal: thrown });
  throw thrown;
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
  const { warnings, auditAnnotations, webhookSeconds, preconditions, accessDemands, jointWrites } = review;
  const isRefused = refusal !== undefined;
  return {
    object,
    refusal,
    warnings,
    auditAnnotations,
    webhookSeconds,
    preconditions: isRefused ? [] : preconditions,
    accessDemands: isRefused ? [] : accessDemands,
    jointWrites: isRefused ? [] : jointWrites,
  };
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
    ownsObject: false,
    isChanged: false,
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
