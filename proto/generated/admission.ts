// Generated from proto/internal/admission.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec, ServiceContract, UnaryMethod } from '../runtime/contract.ts';
import { assertEnd, enumValue, messageEnd, newWriter, noBytes, readEntry, readerOf, type Reader, type Writer } from '../runtime/wire.ts';

/** `Operation` of `admission.proto`. */
export type Operation =
  | 'OPERATION_UNSPECIFIED'
  | 'CREATE'
  | 'UPDATE'
  | 'DELETE'
  | 'CONNECT';

const operationValues: readonly Operation[] = ['OPERATION_UNSPECIFIED', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

const operationNumbers: { readonly [name in Operation]: number } = {
  OPERATION_UNSPECIFIED: 0,
  CREATE: 1,
  UPDATE: 2,
  DELETE: 3,
  CONNECT: 4,
};

/** `UserInfo` of `admission.proto`. */
export interface UserInfo {
  username: string;
  uid: string;
  groups: string[];
  extra: { [key: string]: StringList };
}

/** Turns `UserInfo` into bytes and back. */
export const userInfoCodec: MessageCodec<UserInfo> = {
  encode: message => writeUserInfo(message, newWriter()).finish(),
  decode: bytes => readUserInfo(readerOf(bytes), bytes.length),
};

/** Appends a `UserInfo` without its length. */
export function writeUserInfo(message: UserInfo, writer: Writer): Writer {
  if (message.username) writer.uint32(10).string(message.username);
  if (message.uid) writer.uint32(18).string(message.uid);
  for (const item of message.groups ?? []) writer.uint32(26).string(item);
  for (const [key, item] of Object.entries(message.extra ?? {})) writeStringList(item, writer.uint32(34).fork().uint32(10).string(key).uint32(18).fork()).ldelim().ldelim();
  return writer;
}

/** Reads a `UserInfo` that ends at `end`. */
export function readUserInfo(reader: Reader, end: number): UserInfo {
  const message: UserInfo = { username: '', uid: '', groups: [], extra: {} };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.username = reader.string();
        break;
      case 18:
        message.uid = reader.string();
        break;
      case 26:
        message.groups.push(reader.string());
        break;
      case 34:
        readEntry(reader, message.extra, { tag: 18, read: () => readStringList(reader, messageEnd(reader)), missing: () => readStringList(reader, reader.pos) });
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `StringList` of `admission.proto`. */
export interface StringList {
  values: string[];
}

/** Turns `StringList` into bytes and back. */
export const stringListCodec: MessageCodec<StringList> = {
  encode: message => writeStringList(message, newWriter()).finish(),
  decode: bytes => readStringList(readerOf(bytes), bytes.length),
};

/** Appends a `StringList` without its length. */
export function writeStringList(message: StringList, writer: Writer): Writer {
  for (const item of message.values ?? []) writer.uint32(10).string(item);
  return writer;
}

/** Reads a `StringList` that ends at `end`. */
export function readStringList(reader: Reader, end: number): StringList {
  const message: StringList = { values: [] };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.values.push(reader.string());
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `GroupVersionKind` of `admission.proto`. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** Turns `GroupVersionKind` into bytes and back. */
export const groupVersionKindCodec: MessageCodec<GroupVersionKind> = {
  encode: message => writeGroupVersionKind(message, newWriter()).finish(),
  decode: bytes => readGroupVersionKind(readerOf(bytes), bytes.length),
};

/** Appends a `GroupVersionKind` without its length. */
export function writeGroupVersionKind(message: GroupVersionKind, writer: Writer): Writer {
  if (message.group) writer.uint32(10).string(message.group);
  if (message.version) writer.uint32(18).string(message.version);
  if (message.kind) writer.uint32(26).string(message.kind);
  return writer;
}

/** Reads a `GroupVersionKind` that ends at `end`. */
export function readGroupVersionKind(reader: Reader, end: number): GroupVersionKind {
  const message: GroupVersionKind = { group: '', version: '', kind: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.group = reader.string();
        break;
      case 18:
        message.version = reader.string();
        break;
      case 26:
        message.kind = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `GroupVersionResource` of `admission.proto`. */
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** Turns `GroupVersionResource` into bytes and back. */
export const groupVersionResourceCodec: MessageCodec<GroupVersionResource> = {
  encode: message => writeGroupVersionResource(message, newWriter()).finish(),
  decode: bytes => readGroupVersionResource(readerOf(bytes), bytes.length),
};

/** Appends a `GroupVersionResource` without its length. */
export function writeGroupVersionResource(message: GroupVersionResource, writer: Writer): Writer {
  if (message.group) writer.uint32(10).string(message.group);
  if (message.version) writer.uint32(18).string(message.version);
  if (message.resource) writer.uint32(26).string(message.resource);
  return writer;
}

/** Reads a `GroupVersionResource` that ends at `end`. */
export function readGroupVersionResource(reader: Reader, end: number): GroupVersionResource {
  const message: GroupVersionResource = { group: '', version: '', resource: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.group = reader.string();
        break;
      case 18:
        message.version = reader.string();
        break;
      case 26:
        message.resource = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ReviewRequest` of `admission.proto`. */
export interface ReviewRequest {
  operation: Operation;
  kind?: GroupVersionKind | undefined;
  resource?: GroupVersionResource | undefined;
  subresource: string;
  namespace: string;
  name: string;
  user?: UserInfo | undefined;
  /** JSON of the new object, of the stored one, and of the options; empty where there is none. */
  object: Uint8Array;
  oldObject: Uint8Array;
  options: Uint8Array;
  dryRun: boolean;
  /** Whether this write, or one that it waited for, failed at its commit because a key had changed: caches may be out of date. */
  isRetry: boolean;
  /** The group of the resource as the path of the request has it, an alias where it is one; empty: by its name. */
  requestGroup: string;
}

/** Turns `ReviewRequest` into bytes and back. */
export const reviewRequestCodec: MessageCodec<ReviewRequest> = {
  encode: message => writeReviewRequest(message, newWriter()).finish(),
  decode: bytes => readReviewRequest(readerOf(bytes), bytes.length),
};

/** Appends a `ReviewRequest` without its length. */
export function writeReviewRequest(message: ReviewRequest, writer: Writer): Writer {
  if (message.operation && message.operation !== 'OPERATION_UNSPECIFIED') writer.uint32(8).int32(operationNumbers[message.operation]);
  if (message.kind !== undefined) writeGroupVersionKind(message.kind, writer.uint32(18).fork()).ldelim();
  if (message.resource !== undefined) writeGroupVersionResource(message.resource, writer.uint32(26).fork()).ldelim();
  if (message.subresource) writer.uint32(34).string(message.subresource);
  if (message.namespace) writer.uint32(42).string(message.namespace);
  if (message.name) writer.uint32(50).string(message.name);
  if (message.user !== undefined) writeUserInfo(message.user, writer.uint32(58).fork()).ldelim();
  if (message.object?.length) writer.uint32(66).bytes(message.object);
  if (message.oldObject?.length) writer.uint32(74).bytes(message.oldObject);
  if (message.options?.length) writer.uint32(82).bytes(message.options);
  if (message.dryRun) writer.uint32(88).bool(message.dryRun);
  if (message.isRetry) writer.uint32(96).bool(message.isRetry);
  if (message.requestGroup) writer.uint32(114).string(message.requestGroup);
  return writer;
}

/** Reads a `ReviewRequest` that ends at `end`. */
export function readReviewRequest(reader: Reader, end: number): ReviewRequest {
  const message: ReviewRequest = { operation: 'OPERATION_UNSPECIFIED', subresource: '', namespace: '', name: '', object: noBytes, oldObject: noBytes, options: noBytes, dryRun: false, isRetry: false, requestGroup: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        message.operation = enumValue(operationValues, reader.int32(), 'Operation');
        break;
      case 18:
        message.kind = readGroupVersionKind(reader, messageEnd(reader));
        break;
      case 26:
        message.resource = readGroupVersionResource(reader, messageEnd(reader));
        break;
      case 34:
        message.subresource = reader.string();
        break;
      case 42:
        message.namespace = reader.string();
        break;
      case 50:
        message.name = reader.string();
        break;
      case 58:
        message.user = readUserInfo(reader, messageEnd(reader));
        break;
      case 66:
        message.object = reader.bytes();
        break;
      case 74:
        message.oldObject = reader.bytes();
        break;
      case 82:
        message.options = reader.bytes();
        break;
      case 88:
        message.dryRun = reader.bool();
        break;
      case 96:
        message.isRetry = reader.bool();
        break;
      case 114:
        message.requestGroup = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ReviewResponse` of `admission.proto`. */
export interface ReviewResponse {
  /** JSON of the object to store; empty when the object of the request stands unchanged. */
  object: Uint8Array;
  warnings: string[];
  auditAnnotations: { [key: string]: string };
  /** Keys that must still be at these revisions (0: absent) when the write is committed. */
  preconditions: RevisionPrecondition[];
  /** How long webhooks kept the write waiting. */
  webhookSeconds: number;
  /** The rights that the user needs beside the request itself. */
  accessDemands: AccessDemand[];
  /** Other objects that change in the same transaction, each if it is still at the revision that it is written for. */
  jointWrites: JointWrite[];
  /**
   * The Status with which the write is refused, as JSON; empty when it may go on. A refusal is an answer instead of an
   * error when there is more to say than itself: warnings, annotations, the time of webhooks.
   */
  refusal: Uint8Array;
}

/** Turns `ReviewResponse` into bytes and back. */
export const reviewResponseCodec: MessageCodec<ReviewResponse> = {
  encode: message => writeReviewResponse(message, newWriter()).finish(),
  decode: bytes => readReviewResponse(readerOf(bytes), bytes.length),
};

/** Appends a `ReviewResponse` without its length. */
export function writeReviewResponse(message: ReviewResponse, writer: Writer): Writer {
  if (message.object?.length) writer.uint32(10).bytes(message.object);
  for (const item of message.warnings ?? []) writer.uint32(18).string(item);
  for (const [key, item] of Object.entries(message.auditAnnotations ?? {})) writer.uint32(26).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  for (const item of message.preconditions ?? []) writeRevisionPrecondition(item, writer.uint32(34).fork()).ldelim();
  if (message.webhookSeconds) writer.uint32(49).double(message.webhookSeconds);
  for (const item of message.accessDemands ?? []) writeAccessDemand(item, writer.uint32(58).fork()).ldelim();
  for (const item of message.jointWrites ?? []) writeJointWrite(item, writer.uint32(66).fork()).ldelim();
  if (message.refusal?.length) writer.uint32(74).bytes(message.refusal);
  return writer;
}

/** Reads a `ReviewResponse` that ends at `end`. */
export function readReviewResponse(reader: Reader, end: number): ReviewResponse {
  const message: ReviewResponse = { object: noBytes, warnings: [], auditAnnotations: {}, preconditions: [], webhookSeconds: 0, accessDemands: [], jointWrites: [], refusal: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.object = reader.bytes();
        break;
      case 18:
        message.warnings.push(reader.string());
        break;
      case 26:
        readEntry(reader, message.auditAnnotations, { tag: 18, read: () => reader.string(), missing: () => '' });
        break;
      case 34:
        message.preconditions.push(readRevisionPrecondition(reader, messageEnd(reader)));
        break;
      case 49:
        message.webhookSeconds = reader.double();
        break;
      case 58:
        message.accessDemands.push(readAccessDemand(reader, messageEnd(reader)));
        break;
      case 66:
        message.jointWrites.push(readJointWrite(reader, messageEnd(reader)));
        break;
      case 74:
        message.refusal = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `JointWrite` of `admission.proto`. */
export interface JointWrite {
  key: string;
  /** The revision at which admission saw the object. */
  revision: number;
  /** The value to store. */
  value: Uint8Array;
  /** Whether it is written when the object of the review is removed, instead of when it is stored. */
  onRemoval: boolean;
}

/** Turns `JointWrite` into bytes and back. */
export const jointWriteCodec: MessageCodec<JointWrite> = {
  encode: message => writeJointWrite(message, newWriter()).finish(),
  decode: bytes => readJointWrite(readerOf(bytes), bytes.length),
};

/** Appends a `JointWrite` without its length. */
export function writeJointWrite(message: JointWrite, writer: Writer): Writer {
  if (message.key) writer.uint32(10).string(message.key);
  if (message.revision) writer.uint32(17).double(message.revision);
  if (message.value?.length) writer.uint32(26).bytes(message.value);
  if (message.onRemoval) writer.uint32(32).bool(message.onRemoval);
  return writer;
}

/** Reads a `JointWrite` that ends at `end`. */
export function readJointWrite(reader: Reader, end: number): JointWrite {
  const message: JointWrite = { key: '', revision: 0, value: noBytes, onRemoval: false };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.key = reader.string();
        break;
      case 17:
        message.revision = reader.double();
        break;
      case 26:
        message.value = reader.bytes();
        break;
      case 32:
        message.onRemoval = reader.bool();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The write goes on only if the user is permitted at least one of these. */
export interface AccessDemand {
  anyOf: ResourceAccess[];
  /** Why the write is forbidden otherwise, for the client. */
  refusal: string;
}

/** Turns `AccessDemand` into bytes and back. */
export const accessDemandCodec: MessageCodec<AccessDemand> = {
  encode: message => writeAccessDemand(message, newWriter()).finish(),
  decode: bytes => readAccessDemand(readerOf(bytes), bytes.length),
};

/** Appends a `AccessDemand` without its length. */
export function writeAccessDemand(message: AccessDemand, writer: Writer): Writer {
  for (const item of message.anyOf ?? []) writeResourceAccess(item, writer.uint32(10).fork()).ldelim();
  if (message.refusal) writer.uint32(18).string(message.refusal);
  return writer;
}

/** Reads a `AccessDemand` that ends at `end`. */
export function readAccessDemand(reader: Reader, end: number): AccessDemand {
  const message: AccessDemand = { anyOf: [], refusal: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.anyOf.push(readResourceAccess(reader, messageEnd(reader)));
        break;
      case 18:
        message.refusal = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ResourceAccess` of `admission.proto`. */
export interface ResourceAccess {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  /** Empty for cluster-scoped resources. */
  namespace: string;
  name: string;
}

/** Turns `ResourceAccess` into bytes and back. */
export const resourceAccessCodec: MessageCodec<ResourceAccess> = {
  encode: message => writeResourceAccess(message, newWriter()).finish(),
  decode: bytes => readResourceAccess(readerOf(bytes), bytes.length),
};

/** Appends a `ResourceAccess` without its length. */
export function writeResourceAccess(message: ResourceAccess, writer: Writer): Writer {
  if (message.verb) writer.uint32(10).string(message.verb);
  if (message.group) writer.uint32(18).string(message.group);
  if (message.resource) writer.uint32(26).string(message.resource);
  if (message.subresource) writer.uint32(34).string(message.subresource);
  if (message.namespace) writer.uint32(42).string(message.namespace);
  if (message.name) writer.uint32(50).string(message.name);
  return writer;
}

/** Reads a `ResourceAccess` that ends at `end`. */
export function readResourceAccess(reader: Reader, end: number): ResourceAccess {
  const message: ResourceAccess = { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.verb = reader.string();
        break;
      case 18:
        message.group = reader.string();
        break;
      case 26:
        message.resource = reader.string();
        break;
      case 34:
        message.subresource = reader.string();
        break;
      case 42:
        message.namespace = reader.string();
        break;
      case 50:
        message.name = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `RevisionPrecondition` of `admission.proto`. */
export interface RevisionPrecondition {
  key: string;
  revision: number;
}

/** Turns `RevisionPrecondition` into bytes and back. */
export const revisionPreconditionCodec: MessageCodec<RevisionPrecondition> = {
  encode: message => writeRevisionPrecondition(message, newWriter()).finish(),
  decode: bytes => readRevisionPrecondition(readerOf(bytes), bytes.length),
};

/** Appends a `RevisionPrecondition` without its length. */
export function writeRevisionPrecondition(message: RevisionPrecondition, writer: Writer): Writer {
  if (message.key) writer.uint32(10).string(message.key);
  if (message.revision) writer.uint32(17).double(message.revision);
  return writer;
}

/** Reads a `RevisionPrecondition` that ends at `end`. */
export function readRevisionPrecondition(reader: Reader, end: number): RevisionPrecondition {
  const message: RevisionPrecondition = { key: '', revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.key = reader.string();
        break;
      case 17:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The service `Admission` of `admission.proto`. */
export interface AdmissionService {
  /** Mutates, defaults, validates. A refusal is an error that carries a Status, or an answer that does. */
  readonly review: UnaryMethod<ReviewRequest, ReviewResponse>;
}

/** The contract of `AdmissionService`: its name and methods on the wire. */
export const admissionContract: ServiceContract<AdmissionService> = {
  name: 'binnacle.internal.admission.Admission',
  methods: [
    {
      name: 'review',
      path: '/binnacle.internal.admission.Admission/Review',
      serverStreaming: false,
      hot: true,
      request: reviewRequestCodec,
      response: reviewResponseCodec,
    },
  ],
};
