import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { readWrittenJson, writeStorableJson } from '@binnacle/codecs/texts';
import { isLong } from '@binnacle/event-loop';
import type { AdmissionService, ReviewRequest, UserInfo } from '@binnacle/proto';
import { badRequest, encodeStatusError, resourceNotFound } from '@binnacle/status-errors';
import type { Admission, WriteUnderReview } from './admission.ts';

const nothing = new Uint8Array(0);
const noUser: UserInfo = { username: '', uid: '', groups: [], extra: {} };

/** Creates the gRPC service of an admission, for gateways in other processes. */
export function servedAdmission(admission: Admission): AdmissionService {
  return {
    async review(request, call) {
      const { object, refusal, ...remarks } = await admission.review(await writeFrom(request), call);
      const text = object && (await writeStorableJson(object, request.object.length));
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

/** Converts a request of a gateway to a write. The old object is parsed on demand, because few deletions concern any plugin. */
async function writeFrom(request: ReviewRequest): Promise<WriteUnderReview> {
  const { operation, kind, resource, subresource, namespace, name, user = noUser, dryRun, isRetry } = request;
  if (resource === undefined) throw resourceNotFound();
  if (kind === undefined) throw badRequest('the review names no kind');
  const { oldObject: oldJson } = request;
  const object = request.object.length === 0 ? undefined : await readObject(request.object);
  // A long old object is parsed now, in slices, because the getter is synchronous.
  let oldObject = isLong(oldJson.length) ? await readObject(oldJson) : undefined;
  return {
    operation,
    kind,
    resource,
    // An older gateway does not set the field.
    requestGroup: request.requestGroup || resource.group,
    subresource,
    namespace,
    name,
    user,
    object,
    get oldObject() {
      if (oldJson.length > 0) oldObject ??= readObject(oldJson) as ApiObject; // a long one has been parsed
      return oldObject;
    },
    options: decodeText(request.options),
    dryRun,
    isRetry,
    bytes: request.object.length + oldJson.length,
  };
}

function readObject(json: Uint8Array): ApiObject | Promise<ApiObject> {
  try {
    // The gateway sends objects of the kind in the request.
    const read = readWrittenJson(decodeText(json)) as JsonObject | Promise<JsonObject>;
    return (read instanceof Promise ? read.catch(refuse) : read) as ApiObject | Promise<ApiObject>;
  } catch {
    return refuse();
  }
}

function refuse(): never {
  throw badRequest('the object under review is not JSON');
}

function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
