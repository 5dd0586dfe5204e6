import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { readWrittenJson, writeStorableJson } from '@binnacle/codecs/texts';
import { isLong } from '@binnacle/event-loop';
import type {
  AdmissionService,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
  ReviewRequest,
  UserInfo,
} from '@binnacle/proto';
import { badRequest, encodeStatusError, resourceNotFound } from '@binnacle/status-errors';
import type { Admission, WriteUnderReview } from './admission.ts';

const nothing = new Uint8Array(0);
const noUser: UserInfo = { username: '', uid: '', groups: [], extra: {} };

/** The service of an admission, for gateways in other processes. */
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

async function writeFrom(request: ReviewRequest): Promise<WriteUnderReview> {
  const { resource, kind } = request;
  if (resource === undefined) throw resourceNotFound();
  if (kind === undefined) throw badRequest('the review names no kind');
  const object = request.object.length === 0 ? undefined : await readObject(request.object);
  // No plugin could read a long one in slices.
  const oldObject = isLong(request.oldObject.length) ? await readObject(request.oldObject) : undefined;
  return new ServedWrite(request, { resource, kind, object, oldObject });
}

/** A write as a gateway sent it. Its old object is read when it is asked for: few deletions concern any plugin. */
class ServedWrite implements WriteUnderReview {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly requestGroup: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  readonly object: ApiObject | undefined;
  readonly options: string;
  readonly dryRun: boolean;
  readonly isRetry: boolean;
  readonly bytes: number;
  readonly #oldJson: Uint8Array;
  #oldObject: ApiObject | undefined;

  constructor(
    request: ReviewRequest,
    {
      resource,
      kind,
      object,
      oldObject,
    }: Pick<WriteUnderReview, 'resource' | 'kind' | 'object' | 'oldObject'>,
  ) {
    this.operation = request.operation;
    this.kind = kind;
    this.resource = resource;
    // A gateway of before does not say it.
    this.requestGroup = request.requestGroup || resource.group;
    this.subresource = request.subresource;
    this.namespace = request.namespace;
    this.name = request.name;
    this.user = request.user ?? noUser;
    this.object = object;
    this.options = textOf(request.options);
    this.dryRun = request.dryRun;
    this.isRetry = request.isRetry;
    this.bytes = request.object.length + request.oldObject.length;
    this.#oldJson = request.oldObject;
    this.#oldObject = oldObject;
  }

  get oldObject(): ApiObject | undefined {
    if (this.#oldJson.length === 0) return undefined;
    this.#oldObject ??= readObject(this.#oldJson) as ApiObject; // long ones have been read
    return this.#oldObject;
  }
}

function readObject(json: Uint8Array): ApiObject | Promise<ApiObject> {
  try {
    // The gateway sends objects of the kind that it names.
    const read = readWrittenJson(textOf(json)) as JsonObject | Promise<JsonObject>;
    return (read instanceof Promise ? read.catch(refuse) : read) as ApiObject | Promise<ApiObject>;
  } catch {
    return refuse();
  }
}

function refuse(): never {
  throw badRequest('the object under review is not JSON');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
