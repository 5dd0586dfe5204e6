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

/** One write under review: what it is about, and what the plugins have said to it so far. */
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
   * changes what `objectToChange` gives.
   */
  object: ApiObject | undefined;
  /** Whether `object` is a copy that belongs to the review. */
  ownsObject: boolean;
  /** Whether a mutating plugin has changed the object. */
  isChanged: boolean;
  /**
   * The stored object; undefined for a creation. Not to be changed. It may be read from its bytes when it is asked for: a plugin that
   * has no opinion about a write leaves it alone.
   */
  readonly oldObject: ApiObject | undefined;
  /** Bytes of JSON of both as they came. */
  readonly bytes: number;
  /** JSON of the options; '' when there are none. */
  readonly options: string;
  readonly dryRun: boolean;
  /** Whether this write, or one that it waited for, failed at its commit because a key had changed: caches may be out of date. */
  readonly isRetry: boolean;
  readonly call: CallContext;
  /** Texts for the client, in order. */
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
  /** Seconds for which webhooks kept the write waiting; they are added up. */
  webhookSeconds: number;
  /** Keys that must still be at these revisions when the write is committed. */
  readonly preconditions: RevisionPrecondition[];
  /** The rights that the user needs beside the request itself; the gateway enforces them. */
  readonly accessDemands: AccessDemand[];
  /** Other objects that change in the transaction of the write. */
  readonly jointWrites: JointWrite[];
  /** Whether the mutating plugins run for the second time. */
  isReinvocation: boolean;
  /** Set by a plugin in the first run to have all mutating plugins run once more. */
  shouldReinvoke: boolean;
}

/** The object of a review, for a plugin that changes it: a copy that the first call makes. Throws where there is no object. */
export function objectToChange(review: Review): ApiObject {
  const { object } = review;
  if (object === undefined) throw new Error('the review has no object to change');
  if (review.ownsObject) return object;
  const copy = copyJson(object as JsonObject) as JsonObject as ApiObject; // a copy of it
  replaceObject(review, copy);
  return copy;
}

/** Puts an object that belongs to the review in the place of its object. */
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

/** Whether a review is about a Namespace, or a subresource of one: to those that see reviews, it is in itself. */
export function isAboutNamespace({ definition: { group, resource } }: Pick<Review, 'definition'>): boolean {
  return group === '' && resource === 'namespaces';
}

/** Whether a review is about something new in a namespace; a question, which is not stored, is not in its namespace. */
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

/** The name of the object under review as refusals tell it; '' when it has none yet. */
export function reviewedName({ name, object }: Pick<Review, 'name' | 'object'>): string {
  return name || object?.metadata.name || '';
}
