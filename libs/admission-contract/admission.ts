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
  /** Of the object: that of the resource, or of a subresource such as Scale or Eviction. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** The group of the resource as the path of the request has it: its name, or an alias. */
  readonly requestGroup: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  /**
   * The new object, with its defaults; undefined for a deletion. It is the caller's and shared: admission reads it, and changes a
   * copy.
   */
  readonly object: ApiObject | undefined;
  /** The object as it is stored, shared too; undefined for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** The JSON of both, for admission in another process; undefined: it has to be written. */
  readonly json?: WriteJson | undefined;
  /** JSON of the options; '' when there are none. */
  readonly options: string;
  readonly dryRun: boolean;
  /** Whether this write, or one that it waited for, failed at its commit because a key had changed. */
  readonly isRetry: boolean;
  /** About as many bytes as the JSON of both objects has: what is long is worked on in slices. */
  readonly bytes: number;
}

/** The JSON of the objects of a write, made when it is asked for. */
export interface WriteJson {
  /** Of the new object; undefined where it has to be written. */
  object(): Uint8Array | Promise<Uint8Array> | undefined;
  /** Of the old object, as it lies in the store; undefined where it has to be written. */
  oldObject(): Uint8Array | undefined;
}

/** The verdict of admission on a write. */
export interface ReviewedWrite {
  /** The changed copy of the object; undefined where the object is to be stored as it was sent. */
  readonly object: ApiObject | undefined;
  /** The JSON of that copy, as admission in another process has written it. */
  readonly objectJson?: Uint8Array;
  /** Why the write is refused, where there is something to say beside that; a refusal alone is thrown. */
  readonly refusal: StatusError | undefined;
  /** Texts for the client, in order. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Seconds for which webhooks kept the write waiting. */
  readonly webhookSeconds: number;
  /** Keys that must still be at these revisions when the write is committed. */
  readonly preconditions: readonly RevisionPrecondition[];
  /** Accesses that the user must have beside that of the request itself. */
  readonly accessDemands: readonly AccessDemand[];
  /** Other objects that change in the transaction of the write. */
  readonly jointWrites: readonly JointWrite[];
}

/** Changes and checks writes before they are stored (spec 2, "States and transitions"). */
export interface Admission {
  /**
   * Reviews one write, without a promise where nothing is waited for. Throws, or rejects with, the StatusError that the write is
   * refused with.
   */
  review(write: WriteUnderReview, call: CallContext): ReviewedWrite | Promise<ReviewedWrite>;
}
