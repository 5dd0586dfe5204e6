import type { ApiObject } from '@binnacle/api-objects';
import type {
  AccessDemand,
  CallContext,
  GroupVersionKind,
  GroupVersionResource,
  JointWrite,
  Operation,
  RevisionPrecondition,
  UserInfo,
} from '@binnacle/proto';
import type { StatusError } from '@binnacle/status-errors';

/** A write that admission reviews. */
export interface WriteUnderReview {
  readonly operation: Operation;
  /** Kind of the object: that of the resource, or of a subresource such as Scale or Eviction. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Group in the path of the request: the name of the resource's group, or an alias. */
  readonly requestGroup: string;
  /** `''` for the resource itself. */
  readonly subresource: string;
  /** `''` for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  /**
   * The new object, with defaults; undefined for a deletion. Caller and admission share it: admission reads it, and
   * changes a copy.
   */
  readonly object: ApiObject | undefined;
  /** The stored object, shared as well; undefined for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** The JSON of both objects, for admission in another process; undefined: the caller has none. */
  readonly json?: WriteJson | undefined;
  /** Options as JSON; `''` if there are none. */
  readonly options: string;
  readonly dryRun: boolean;
  /** Whether the commit of this write, or of one that it waited for, failed because a key had changed. */
  readonly isRetry: boolean;
  /** Approximate size of the JSON of both objects, in bytes; long objects are processed in slices. */
  readonly bytes: number;
}

/** The JSON of the objects of a write, created on demand. */
export interface WriteJson {
  /** Returns the JSON of the new object; undefined: it must be serialized. */
  object(): Uint8Array | Promise<Uint8Array> | undefined;
  /** Returns the JSON of the old object as stored; undefined: it must be serialized. */
  oldObject(): Uint8Array | undefined;
}

/** The verdict of admission on a write. */
export interface ReviewedWrite {
  /** The changed copy of the object; undefined if admission did not change it. */
  readonly object: ApiObject | undefined;
  /** The JSON of that copy, as serialized by admission in another process. */
  readonly objectJson?: Uint8Array;
  /** The refusal of the write, if webhooks took time or left warnings or audit annotations; otherwise it is thrown. */
  readonly refusal: StatusError | undefined;
  /** Warnings for the client, in order. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Time that the write waited for webhooks, in seconds. */
  readonly webhookSeconds: number;
  /** Keys that must be at these revisions when the write is committed. */
  readonly preconditions: readonly RevisionPrecondition[];
  /** Rights that the user needs besides that for the request itself. */
  readonly accessDemands: readonly AccessDemand[];
  /** Other objects that the transaction of the write changes. */
  readonly jointWrites: readonly JointWrite[];
}

/** Mutates and validates writes before they are stored (spec 2, "States and transitions"). */
export interface Admission {
  /**
   * Reviews one write; returns a promise only if it has to wait. Throws, or rejects with, the StatusError that refuses
   * the write.
   */
  review(write: WriteUnderReview, call: CallContext): ReviewedWrite | Promise<ReviewedWrite>;
}
