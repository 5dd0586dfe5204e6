import type { ApiObject } from '@binnacle/api-objects';
import type { DisabledFields } from './gated-rules.ts';
import type { KindRules } from './kind-rules.ts';
import type { MessageType } from './message-type.ts';

/** A resource that the server serves. */
export interface ResourceDefinition {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths. */
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
  /** The fields of features that are switched off; absent: there are none. */
  readonly disabledFields?: DisabledFields;
  /** False: a creation is an operation whose answer is the object; nothing is stored, listed or watched. */
  readonly stored: boolean;
  /** The beginning of the storage keys of its objects, for example `/core/configmaps/`. */
  readonly storagePrefix: string;
  /** The version whose form is stored; absent: this one. */
  readonly storageVersion?: string;
  /** The group whose objects these are another form of; absent: this one. */
  readonly storageGroup?: string;
  /** The definition of the stored form, served or not; absent: this one. */
  readonly storage?: ResourceDefinition;
  /** The webhook that converts objects of one version to another; absent: `rules.conversion`, if there is anything to convert. */
  readonly conversionWebhook?: ConversionWebhook;
  /** The warning for every client of the resource; absent: none. */
  readonly deprecation?: string;
  /** The release that no longer serves it, `1.29`; absent: none is set. */
  readonly removedRelease?: string;
  /** 8 bytes in base64, the same on every replica and as kube-apiserver 1.26 has them; '' for a resource that is not stored. */
  readonly storageVersionHash: string;
}

/** The verbs of the API, as discovery lists them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A subresource; its group and version are those of the resource unless given. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
  /** Where a `scale` subresource finds its figures in the object. */
  readonly scale?: ScalePaths;
}

/** Where the figures of a Scale stand in an object: JSON paths below the root, for example `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** A label selector, or its text form, or a map of labels; absent: the kind has none. */
  readonly labelSelectorPath?: string;
}

/** A service of the cluster that is called over HTTPS. */
export interface CalledService {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly port: number;
}

/** A webhook that converts objects between the versions of their kind; all of its versions say the same. */
export interface ConversionWebhook {
  /** Of its definition, for logs and metrics. */
  readonly name: string;
  /** '' where a service is named. */
  readonly url: string;
  readonly service: CalledService | undefined;
  /** PEM; empty means the system's roots. */
  readonly caBundle: Uint8Array;
  /** The version of ConversionReview that both sides know; undefined when there is none. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** The group of ConversionReview: its own name, or the alias by which the author of the definition knows it. */
  readonly reviewGroup: string;
  /** Brings an object from the store up to the rules of now of the version that it is in, as `complete` of a migration does. */
  completeStored(object: ApiObject, bytes: number): void;
}
