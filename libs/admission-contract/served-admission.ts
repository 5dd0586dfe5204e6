import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { readWrittenJson, writeLongJson } from '@binnacle/codecs/texts';
import type { AdmissionService, ReviewRequest } from '@binnacle/proto';
import { badRequest, encodeStatusError, resourceNotFound } from '@binnacle/status-errors';
import type { Admission, WriteUnderReview } from './admission.ts';

const nothing = new Uint8Array(0);
const noUser = { username: '', uid: '', groups: [], extra: {} };

/** The service of an admission, for gateways in other processes. */
export function servedAdmission(admission: Admission): AdmissionService {
  return {
    async review(request, call) {
      const { object, refusal, ...remarks } = await admission.review(await writeFrom(request), call);
      const text = object && (await writeLongJson(object as JsonObject, request.object.length));
      return {
        object: text === undefined ? nothing : Buffer.from(text),
        warnings: [...remarks.warnings],
        auditAnnotations: { ...remarks.auditAnnotations },
        preconditions: [...remarks.preconditions],
        webhookSeconds: remarks.webhookSeconds,
        accessDemands: [...remarks.accessDemands],
        jointWrites: [...remarks.jointWrites],
        refusal: refusal === undefined ? nothing : encodeStatusError(refusal),
      };
    },
  };
}

async function writeFrom(request: ReviewRequest): Promise<WriteUnderReview> {
  const { operation, kind, resource, subresource, namespace, name, user = noUser, dryRun, isRetry } = request;
  if (resource === undefined) throw resourceNotFound();
  if (kind === undefined) throw badRequest('the review names no kind');
  return {
    operation,
    kind,
    resource,
    // A gateway of before does not say it.
    requestGroup: request.requestGroup || resource.group,
    subresource,
    namespace,
    name,
    user,
    object: await objectFrom(request.object),
    oldObject: await objectFrom(request.oldObject),
    options: textOf(request.options),
    dryRun,
    isRetry,
    bytes: request.object.length + request.oldObject.length,
  };
}

async function objectFrom(json: Uint8Array): Promise<ApiObject | undefined> {
  if (json.length === 0) return undefined;
  try {
    // The gateway sends objects of the kind that it names.
    return (await readWrittenJson(textOf(json))) as JsonObject as ApiObject;
  } catch {
    throw badRequest('the object under review is not JSON');
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
