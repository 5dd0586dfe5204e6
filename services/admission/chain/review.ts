import { type ApiObject, copyJson, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type {
  AccessDemand,
  CallContext,
  GroupVersionKind,
  JointWrite,
  Operation,
  RevisionPrecondition,
  UserInfo,
} from '@binnacle/proto';
import type { NamespaceSource } from '../sources/namespaces.ts';

/** One write under review: its subject, and the results of the plugins so far. */
export interface Review {
  readonly operation: Operation;
  readonly definition: ResourceDefinition;
  /** The group of the resource as the path of the request has it: its name, or an alias. */
  readonly requestGroup: string;
  /** The kind of the object: the definition's own, or that of a subresource such as Scale or Eviction. */
  readonly kind: GroupVersionKind;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  /**
   * The new object, complete with defaults; undefined for a deletion. Read-only: it is shared with the caller. A mutating plugin
   * changes the copy that `objectToChange` returns.
   */
  object: ApiObject | undefined;
  /** Whether `object` is a copy that belongs to the review. */
  ownsObject: boolean;
  /** Whether a mutating plugin has changed the object. */
  isChanged: boolean;
  /**
   * The stored object; undefined for a creation. Read-only. It may be parsed from its bytes at the first access: a plugin that
   * does not review a write does not access it.
   */
  readonly oldObject: ApiObject | undefined;
  /** Bytes of the received JSON of both objects. */
  readonly bytes: number;
  /** JSON of the options; '' when there are none. */
  readonly options: string;
  readonly dryRun: boolean;
  /** Whether this write, or one that it waited for, failed at its commit because a key had changed: caches may be outdated. */
  readonly isRetry: boolean;
  readonly call: CallContext;
  /** Warnings for the client, in order. */
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
  /** Sum of the seconds for which webhooks delayed the write. */
  webhookSeconds: number;
  /** Revisions at which keys must still be when the write is committed. */
  readonly preconditions: RevisionPrecondition[];
  /** Additional permissions that the user needs; the gateway enforces them. */
  readonly accessDemands: AccessDemand[];
  /** Other objects that change in the transaction of the write. */
  readonly jointWrites: JointWrite[];
  /** Whether the mutating plugins run for the second time. */
  isReinvocation: boolean;
  /** Set by a plugin in the first run to have all mutating plugins run once more. */
  shouldReinvoke: boolean;
}

/** Returns the object of a review for changing: a copy, made by the first call. Throws where there is no object. */
export function objectToChange(review: Review): ApiObject {
  const { object } = review;
  if (object === undefined) throw new Error('the review has no object to change');
  if (review.ownsObject) return object;
  const copy = copyJson(object as JsonObject) as JsonObject as ApiObject; // a copy of it
  replaceObject(review, copy);
  return copy;
}

/** Replaces the object of a review by one that belongs to the review. */
export function replaceObject(review: Review, object: ApiObject): void {
  review.object = object;
  review.ownsObject = true;
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

/** Whether a review is about a Namespace, or a subresource of one: reviewers see a Namespace as its own namespace. */
export function isAboutNamespace({ definition: { group, resource } }: Pick<Review, 'definition'>): boolean {
  return group === '' && resource === 'namespaces';
}

/**
 * Whether a review creates content of a namespace; a review object such as SubjectAccessReview is not stored, and so is no
 * content.
 */
export function createsContent({
  operation,
  namespace,
  definition: { namespaced, stored },
}: Pick<Review, 'operation' | 'namespace' | 'definition'>): boolean {
  return operation === 'CREATE' && namespaced && stored && namespace !== '';
}

/** Whether a joint write creates the namespace of the object under review. */
export function createsNamespace(
  { jointWrites, namespace }: Review,
  namespaces: Pick<NamespaceSource, 'keyOf'>,
): boolean {
  return jointWrites.length > 0 && jointWrites.some(({ key }) => key === namespaces.keyOf(namespace));
}

/** The name of the object under review, for refusals; '' when it has none yet. */
export function reviewedName({ name, object }: Pick<Review, 'name' | 'object'>): string {
  return name || object?.metadata.name || '';
}
