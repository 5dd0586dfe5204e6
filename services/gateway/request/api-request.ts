import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { StoredItem } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';

/** The verbs that authorization knows. */
export type RequestVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** The user of a request (spec 2, "User attributes"). */
export interface User {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The subject of a request, read from its method, path and query alone. */
export interface RequestInfo {
  readonly verb: RequestVerb;
  readonly path: string;
  /** The name or alias that the client used; `definition.group` is the canonical name. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** "" for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** "" for collections. */
  readonly name: string;
}

/** Facts that are collected while a request is served, for its audit, metrics and log. */
export interface RequestFindings {
  /** Seconds that admission webhooks took of the time of the request. */
  webhookSeconds: number;
  /** Bytes of the request body or of the stored object that it changes, whichever is longer. */
  workBytes: number;
  /** The audit annotations of the request: admission's, and whether it asks for something deprecated. */
  readonly annotations: Map<string, string>;
  /** Whether anything was noted in `annotations`: for most requests the map is never created. */
  readonly hasAnnotations: boolean;
  /** Identity of the object in the request body, filled in when the body is decoded; undefined: the request is not audited. */
  sentObject?: ObjectIdentity;
}

/** The metadata that identifies an object; absent fields are "". */
interface ObjectIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** One request for a resource, authenticated, authorized and ready for its verb. */
export interface ApiRequest {
  readonly info: RequestInfo;
  readonly definition: ResourceDefinition;
  readonly user: User;
  readonly query: URLSearchParams;
  /** Media type of the body without parameters, lower case; "" when the client sent none. */
  readonly contentType: string;
  readonly userAgent: string;
  /** The whole body, at most 3 MiB (413 beyond); empty when there is none. */
  body(): Promise<Buffer>;
  readonly call: CallContext;
  /** Texts for `Warning: 299` headers, in order. */
  readonly warnings: string[];
  readonly notes: RequestFindings;
}

/**
 * The result of a verb; rendering (media type, Table, pretty, alias of the group) comes after it. `Bytes` are those of its objects: of a
 * verb stored ones, of any version.
 */
export type ApiResult<Bytes extends Buffer = Buffer> =
  /** An object as it lies in the store, with the revision to show: nothing is parsed for a JSON client. */
  | { readonly kind: 'stored'; readonly code: 200 | 201; readonly stored: Bytes; readonly revision: number }
  /** An object that is not stored as it is shown (dry run, a virtual resource, a deleted object's last state). */
  | { readonly kind: 'object'; readonly code: 200 | 201 | 202; readonly object: ApiObject }
  /** The Status of a deletion and the like. */
  | { readonly kind: 'success'; readonly details: { readonly name: string; readonly uid: string } }
  /** Objects of one type with the list metadata. */
  | {
      readonly kind: 'list';
      readonly items: readonly StoredItem<Bytes>[];
      readonly revision: number;
      readonly continue?: string;
      readonly remainingItemCount?: number;
    };

/** One verb on a resource, with the services that it names. Throws a StatusError for anything but success. */
export type ResourceVerb<Services> = (
  request: ApiRequest,
  services: Services,
) => ApiResult | Promise<ApiResult>;

/** The handlers of a resource or a subresource, by verb. */
export type ResourceVerbs<Services> = Readonly<Partial<Record<RequestVerb, ResourceVerb<Services>>>>;
