import type { Admission, ReviewedWrite, WriteUnderReview } from '@binnacle/admission-contract';
import { type ApiObject, copyJsonSteps, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { isLong, runInSlices, yieldAfterStep } from '@binnacle/event-loop';
import type {
  AccessDemand,
  CallContext,
  GroupVersionKind,
  JointWrite,
  Operation,
  RevisionPrecondition,
  UserInfo,
} from '@binnacle/proto';
import { inSpan } from '@binnacle/rpc';
import { resourceNotFound, StatusError } from '@binnacle/status-errors';
import type { AdmissionChain } from '../chain/admission-chain.ts';
import { type Review, replaceObject } from '../chain/review.ts';
import type { CustomTypes } from './custom-types.ts';

/** The environment of reviews. */
interface ReviewEnvironment {
  readonly customTypes: Pick<CustomTypes, 'find' | 'preconditionsFor'>;
  readonly chain: AdmissionChain;
}

/** Creates the reviewer of writes: the chain checks the object and changes a copy. A refusal is thrown, or part of the answer. */
export function createReviews({ customTypes, chain }: ReviewEnvironment): Admission {
  return {
    review(write, call) {
      if (call.trace?.isSampled !== true) return review(write, call);
      const { operation, kind, subresource } = write;
      const attributes = { operation, kind: kind.kind, subresource };
      return inSpan(call, { name: 'Admission', attributes }, traced => review(write, traced));
    },
  };

  function review(write: WriteUnderReview, call: CallContext): ReviewedWrite | Promise<ReviewedWrite> {
    const finding = customTypes.find(write.resource, call);
    if (finding instanceof Promise)
      return finding.then(definition => reviewWith(write, definition, { customTypes, chain, call }));
    return reviewWith(write, finding, { customTypes, chain, call });
  }
}

function reviewWith(
  write: WriteUnderReview,
  definition: ResourceDefinition | undefined,
  { customTypes, chain, call }: ReviewEnvironment & { readonly call: CallContext },
): ReviewedWrite | Promise<ReviewedWrite> {
  if (definition === undefined) throw resourceNotFound();
  const review = new OpenReview(write, definition, call);
  const found = customTypes.preconditionsFor(review);
  if (found instanceof Promise || isLong(write.bytes)) return reviewInSteps(review, found, chain);
  review.preconditions.push(...found);
  try {
    const running = chain(review);
    return running instanceof Promise
      ? running.then(
          () => acceptReview(review),
          thrown => refuseReview(review, thrown),
        )
      : acceptReview(review);
  } catch (thrown) {
    return refuseReview(review, thrown);
  }
}

/** Reviews a write of a long object, which is copied in slices before the chain: plugins copy in one step. */
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
    return acceptReview(review);
  } catch (thrown) {
    return refuseReview(review, thrown);
  }
}

function acceptReview(review: Review): ReviewedWrite {
  return createAnswer(review, { object: review.isChanged ? review.object : undefined });
}

/** Returns an answer with the refusal and the remarks of webhooks; throws the refusal itself where there are no remarks. */
function refuseReview(review: Review, thrown: unknown): ReviewedWrite {
  if (thrown instanceof StatusError && hasRemarks(review)) return createAnswer(review, { refusal: thrown });
  throw thrown;
}

/** Whether webhooks left remarks before the write was refused: a thrown error could not carry them. */
function hasRemarks({ warnings, auditAnnotations, webhookSeconds }: Review): boolean {
  return warnings.length > 0 || webhookSeconds > 0 || Object.keys(auditAnnotations).length > 0;
}

/** Creates the answer to a review: the changes that go with the write, or the refusal. */
function createAnswer(
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

/** A review without results yet. Its old object is that of the write, which may parse it at the first access. */
class OpenReview implements Review {
  readonly #write: WriteUnderReview;
  readonly operation: Operation;
  readonly definition: ResourceDefinition;
  readonly requestGroup: string;
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  object: ApiObject | undefined;
  ownsObject = false;
  isChanged = false;
  readonly bytes: number;
  readonly options: string;
  readonly dryRun: boolean;
  readonly isRetry: boolean;
  readonly call: CallContext;
  readonly warnings: string[] = [];
  readonly auditAnnotations: Record<string, string> = {};
  webhookSeconds = 0;
  readonly preconditions: RevisionPrecondition[] = [];
  readonly accessDemands: AccessDemand[] = [];
  readonly jointWrites: JointWrite[] = [];
  isReinvocation = false;
  shouldReinvoke = false;

  constructor(write: WriteUnderReview, definition: ResourceDefinition, call: CallContext) {
    this.#write = write;
    this.operation = write.operation;
    this.definition = definition;
    this.requestGroup = write.requestGroup;
    this.kind = write.kind;
    this.subresource = write.subresource;
    this.namespace = write.namespace;
    this.name = write.name;
    this.user = write.user;
    this.object = write.object;
    this.bytes = write.bytes;
    this.options = write.options;
    this.dryRun = write.dryRun;
    this.isRetry = write.isRetry;
    this.call = call;
  }

  get oldObject(): ApiObject | undefined {
    return this.#write.oldObject;
  }
}
