import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { StoredItem } from '@binnacle/codecs';
import type { AdmissionService, CallContext, TokenReviewService } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ServiceAllocator } from '../allocation/service-allocator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { TokenIssuer } from '../subresources/token-issuer.ts';
import type { WebhookConversions } from '../versions/webhook-conversions.ts';
import type { KeyLocks } from '../write/key-locks.ts';

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

/** Who makes a request (spec 2, "User attributes"). */
export interface User {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What a request is about, read from its method, path and query alone. */
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

/** What is found out on the way of a request for those who watch over the server. */
export interface RequestNotes {
  /** Seconds that admission webhooks took of the time of the request. */
  webhookSeconds: number;
  /** Bytes of the longest thing that the request works on: its body, or the stored object that it changes. */
  workBytes: number;
  /** What an audit of the request says beside what it is: admission's annotations, and whether it asks for what is deprecated. */
  readonly annotations: Map<string, string>;
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
  readonly notes: RequestNotes;
}

/** What a verb gives; rendering (media type, Table, pretty, alias of the group) comes after it. */
export type ApiResult =
  /** An object as it lies in the store, with the revision to show: nothing is parsed for a JSON client. */
  | { readonly kind: 'stored'; readonly code: 200 | 201; readonly stored: Buffer; readonly revision: number }
  /** An object that is not stored as it is shown (dry run, a virtual resource, a deleted object's last state). */
  | { readonly kind: 'object'; readonly code: 200 | 201 | 202; readonly object: ApiObject }
  /** The Status of a deletion and the like. */
  | { readonly kind: 'success'; readonly details: { readonly name: string; readonly uid: string } }
  /** Objects of one type with the list metadata. */
  | {
      readonly kind: 'list';
      readonly items: readonly StoredItem[];
      readonly revision: number;
      readonly continue?: string;
      readonly remainingItemCount?: number;
    };

/** What the verbs work with. */
export interface GatewayServices {
  readonly registry: TypeRegistry;
  readonly storage: Storage;
  readonly admission: AdmissionService;
  readonly watchCache: WatchCache;
  readonly authorizer: Authorizer;
  readonly tokenReview: TokenReviewService;
  /** Undefined: this server issues no service-account tokens. */
  readonly tokenIssuer: TokenIssuer | undefined;
  /** What gives services their addresses and ports; undefined where there are no services. */
  readonly serviceAllocator: ServiceAllocator | undefined;
  /** Objects of kinds that webhooks convert between versions. */
  readonly conversions: WebhookConversions;
  readonly clock: () => number;
  /** Locks for writes that got in each other's way. */
  readonly writeLocks: KeyLocks;
}

/** One verb on a resource. Throws a StatusError for anything but success. */
export type ResourceVerb = (request: ApiRequest, services: GatewayServices) => Promise<ApiResult>;
