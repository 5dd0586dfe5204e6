import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type {
  AccessDemand,
  CallContext,
  CompanionWrite,
  GroupVersionKind,
  Operation,
  RequiredRevision,
  UserInfo,
} from '@binnacle/proto';

/** One write under review: what it is about, and what the plugins have said to it so far. */
export interface Review {
  readonly operation: Operation;
  readonly definition: ResourceDefinition;
  /** The kind of the object: the definition's own, or that of a subresource such as Scale or Eviction. */
  readonly kind: GroupVersionKind;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  /** The new object, complete with defaults; undefined for a deletion. Mutating plugins change it in place. */
  object: ApiObject | undefined;
  /** The stored object; undefined for a creation. Not to be changed. */
  readonly oldObject: ApiObject | undefined;
  /** JSON of the options; '' when there are none. */
  readonly options: string;
  readonly dryRun: boolean;
  /** What the review before relied on had changed by the time of the commit: what a cache says may be out of date. */
  readonly again: boolean;
  readonly call: CallContext;
  /** Texts for the client, in order. */
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
  /** Seconds for which webhooks kept the write waiting; they are added up. */
  webhookSeconds: number;
  /** Keys that must still be at these revisions when the write is committed. */
  readonly required: RequiredRevision[];
  /** What the user must be permitted beside the request itself; the gateway enforces it. */
  readonly accessDemands: AccessDemand[];
  /** Other objects that change in the transaction of the write. */
  readonly companions: CompanionWrite[];
  /** 0 when the mutating plugins run for the first time, 1 when they run again. */
  round: number;
  /** Set by a plugin in round 0 to have all mutating plugins run once more. */
  anotherRound: boolean;
}

/** Whether the object is of the definition's kind, so that its defaults and rules are those of the definition. */
export function isOfOwnKind({ definition, kind }: Pick<Review, 'definition' | 'kind'>): boolean {
  return kind.kind === definition.kind && kind.group === definition.group;
}

/** Whether a review is about a resource, or about one of its subresources. */
export function isAbout(
  { definition, subresource }: Pick<Review, 'definition' | 'subresource'>,
  group: string,
  resource: string,
  ofSubresource = '',
): boolean {
  return definition.resource === resource && definition.group === group && subresource === ofSubresource;
}

/** The name of the object under review as refusals tell it; '' when it has none yet. */
export function nameOf({ name, object }: Pick<Review, 'name' | 'object'>): string {
  return name || object?.metadata.name || '';
}
