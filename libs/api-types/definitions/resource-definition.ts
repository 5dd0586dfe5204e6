import type { ApiObject } from '@binnacle/api-objects';
import type { DisabledFields } from './gated-rules.ts';
import type { KindRules } from './kind-rules.ts';
import type { MessageType } from './message-type.ts';

/** A resource that the server serves. */
export interface ResourceDefinition {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural name, as in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** In alphabetical order. */
  readonly verbs: readonly Verb[];
  readonly subresources: ReadonlyMap<string, SubresourceDefinition>;
  readonly message: MessageType;
  readonly rules: KindRules;
  /** The fields of disabled features; absent: none. */
  readonly disabledFields?: DisabledFields;
  /** False for an operation: a create returns the object; nothing is stored, listed or watched. */
  readonly stored: boolean;
  /** The prefix of the storage keys of its objects, for example `/core/configmaps/`. */
  readonly storagePrefix: string;
  /** The storage version; absent: this version. */
  readonly storageVersion?: string;
  /** The group of the stored objects; absent: this group. */
  readonly storageGroup?: string;
  /** The definition of the stored form, whether it is served or not; absent: this definition. */
  readonly storage?: ResourceDefinition;
  /** The conversion webhook between versions; absent: `rules.conversion`, if a conversion is needed. */
  readonly conversionWebhook?: ConversionWebhook;
  /** The deprecation warning for clients of the resource; absent: none. */
  readonly deprecation?: string;
  /** The release that removes the resource, such as `1.29`; absent: none. */
  readonly removedRelease?: string;
  /** 8 bytes in base64, equal on every replica and in kube-apiserver 1.26; '' for a resource that is not stored. */
  readonly storageVersionHash: string;
}

/** The API verbs, as in discovery. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A subresource; default group and version: those of the resource. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
  /** The paths of the replica counts of a `scale` subresource. */
  readonly scale?: ScalePaths;
}

/** The paths of a scale's values in an object: JSON paths from the root, for example `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** The path of a label selector, its text form, or a map of labels; absent: the kind has none. */
  readonly labelSelectorPath?: string;
}

/** A service of the cluster that is called over HTTPS. */
export interface CalledService {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly port: number;
}

/** A conversion webhook; equal in all versions of the kind. */
export interface ConversionWebhook {
  /** The name of the definition, for logs and metrics. */
  readonly name: string;
  /** '' if `service` is set. */
  readonly url: string;
  readonly service: CalledService | undefined;
  /** PEM; empty: the system's root certificates. */
  readonly caBundle: Uint8Array;
  /** The first preferred version of ConversionReview that the server supports; undefined if there is none. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** The group of ConversionReview, by the canonical name or the alias that the definition's author uses. */
  readonly reviewGroup: string;
  /** Updates a stored object to the current rules of its version, like `complete` of a migration. */
  completeStored(object: ApiObject, bytes: number): void;
}
