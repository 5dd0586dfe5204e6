import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { readWrittenJson, writeLongJson } from '@binnacle/codecs';
import { restAfterStep } from '@binnacle/event-loop';
import type { CallContext, ReviewRequest, ReviewResponse } from '@binnacle/proto';
import { badRequest, encodeStatusError, resourceNotFound, StatusError } from '@binnacle/status-errors';
import type { AdmissionChain } from '../chain/admission-chain.ts';
import type { Review } from '../chain/review.ts';
import type { CustomTypes } from './custom-types.ts';

/** What reviews are made with. */
interface ReviewEnvironment {
  readonly customTypes: Pick<CustomTypes, 'find' | 'preconditionsFor'>;
  readonly chain: AdmissionChain;
}

const nothing = new Uint8Array(0);

/** Reviews one write: the chain changes and checks it; throws, or answers, why it is refused. */
export async function review(
  request: ReviewRequest,
  call: CallContext,
  { customTypes, chain }: ReviewEnvironment,
): Promise<ReviewResponse> {
  const { resource } = request;
  const definition = resource && (await customTypes.find(resource, call));
  if (definition === undefined) throw resourceNotFound();
  const reviewed = await reviewFrom(request, definition, call);
  reviewed.preconditions.push(...(await customTypes.preconditionsFor(reviewed)));
  try {
    await restAfterStep(request.object.length);
    const changed = await chain(reviewed);
    await restAfterStep(request.object.length);
    const text = changed && reviewed.object !== undefined ? jsonOf(reviewed.object, request) : '';
    // Text that is short is there already.
    return allowed(reviewed, typeof text === 'string' ? text : await text);
  } catch (thrown) {
    // A gateway of before does not look for refusals in answers.
    const mayAnswer = request.takesRefusals && hasRemarks(reviewed);
    if (mayAnswer && thrown instanceof StatusError) return refused(reviewed, thrown);
    throw thrown;
  }
}

function jsonOf(object: ApiObject, sent: ReviewRequest): string | Promise<string> {
  return writeLongJson(object as JsonObject, sent.object.length);
}

/** The answer to a review that lets a write pass; `text` is the object as it was changed, '' where it was not. */
function allowed(reviewed: Review, text: string): ReviewResponse {
  return {
    object: text === '' ? nothing : Buffer.from(text),
    warnings: reviewed.warnings,
    auditAnnotations: reviewed.auditAnnotations,
    preconditions: reviewed.preconditions,
    claims: [],
    webhookSeconds: reviewed.webhookSeconds,
    accessDemands: reviewed.accessDemands,
    jointWrites: reviewed.jointWrites,
    refusal: nothing,
  };
}

/** An error would say nothing of what webhooks remarked before the write was refused. */
function hasRemarks({ warnings, auditAnnotations, webhookSeconds }: Review): boolean {
  return warnings.length > 0 || webhookSeconds > 0 || Object.keys(auditAnnotations).length > 0;
}

function refused({ warnings, auditAnnotations, webhookSeconds }: Review, error: StatusError): ReviewResponse {
  return {
    object: nothing,
    warnings,
    auditAnnotations,
    preconditions: [],
    claims: [],
    webhookSeconds,
    accessDemands: [],
    jointWrites: [],
    refusal: encodeStatusError(error),
  };
}

async function reviewFrom(
  request: ReviewRequest,
  definition: ResourceDefinition,
  call: CallContext,
): Promise<Review> {
  const { operation, subresource, namespace, name, dryRun, isRetry } = request;
  const { group, version, kind } = definition;
  // Short text is read without a promise.
  const sent = parseObject(request.object);
  const object = sent instanceof Promise ? await sent : sent;
  const before = parseObject(request.oldObject);
  const oldObject = before instanceof Promise ? await before : before;
  return {
    operation,
    definition,
    kind: request.kind ?? { group, version, kind },
    subresource,
    namespace,
    name,
    user: request.user ?? { username: '', uid: '', groups: [], extra: {} },
    object,
    oldObject,
    bytes: request.object.length + request.oldObject.length,
    options: textOf(request.options),
    dryRun,
    isRetry,
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

function parseObject(json: Uint8Array): ApiObject | undefined | Promise<ApiObject> {
  if (json.length === 0) return undefined;
  const refuse = (): never => {
    throw badRequest('the object under review is not JSON');
  };
  try {
    const value = readWrittenJson(textOf(json));
    // The gateway sends objects of the kind that it names.
    return value instanceof Promise
      ? value.then(read => read as JsonObject as ApiObject, refuse)
      : (value as JsonObject as ApiObject);
  } catch {
    return refuse();
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
