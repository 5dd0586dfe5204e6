import type { ApiObject, FieldError, JsonObject, JsonValue } from '@binnacle/api-objects';
import type { DisabledFields, GatedFields, GatedRules } from './gated-rules.ts';

/** The types of leaf values; `json` is any JSON value, `time` and the like are strings in JSON with a wire form of their own. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'json';

/** How managers of a list combine (server-side apply). */
export type ListType = 'atomic' | 'set' | 'map';

/** How managers of a map or of a message combine (server-side apply). */
export type MapType = 'granular' | 'atomic';

/** A list; `wrapped` lists are, on the wire, a message whose field 1 is the repeated element. */
export interface ListFieldType {
  readonly kind: 'list';
  readonly element: FieldType;
  readonly listType: ListType;
  /** JSON keys that identify an element of a `map` list; empty otherwise. */
  readonly mapKeys: readonly string[];
  readonly wrapped?: true;
}

/**
 * A leaf value. Where the proto files have a message for it, `message` names and describes it. `alternatives` stand with `json`
 * only: the value is that of whichever field of the message can hold it (an object, a list or a bool), and on the wire it is the
 * message.
 */
interface ScalarFieldType {
  readonly kind: 'scalar';
  readonly scalar: ScalarType;
  readonly message?: MessageType;
  readonly alternatives?: MessageType;
}

/** The type of a field: a scalar, a message, a list or a map with string keys. */
export type FieldType =
  | ScalarFieldType
  | { readonly kind: 'message'; readonly message: MessageType }
  | ListFieldType
  | { readonly kind: 'map'; readonly value: FieldType; readonly mapType: MapType };

/** The effect of a strategic merge patch on a field. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/** Everything the server knows about one field of a message. */
export interface FieldDefinition {
  /** The JSON key. */
  readonly name: string;
  /** The number of the field on the wire. */
  readonly number: number;
  readonly type: FieldType;
  /** The schema lists the field as required; a value need not be checked for it, see `mustBeSet`. */
  readonly required: boolean;
  /** Absent or empty values are refused by `validateObject`. */
  readonly mustBeSet: boolean;
  /** The value an unset field gets. */
  readonly default?: JsonValue;
  /** The closed set of values of a string field. */
  readonly enumValues?: readonly string[];
  /** The rules of the kind check the closed set: they report it at another place, or for another reason. */
  readonly enumCheckedByRules?: true;
  /** An empty list differs from none, which has a default. */
  readonly keepsEmpty?: true;
  readonly immutable: boolean;
  /** JSON output carries the field even when it is empty. */
  readonly alwaysPresent: boolean;
  /** Unset differs from zero: the wire carries the field only when it was set; other scalars and messages are always written. */
  readonly pointer: boolean;
  readonly patchStrategy: readonly PatchStrategy[];
  readonly patchMergeKey?: string;
  /** Only in `MessageType.wireFields`: the fields of this message stand in the JSON object of the parent. */
  readonly inline: boolean;
  /** Overrides the `structType` of the field's message. */
  readonly structType?: MapType;
  readonly description: string;
}

/**
 * The shape of objects that a JSON schema describes, in place of fields.
 *
 * Values of such a message are kept as they come, nulls included, but for what the schema does not know.
 */
interface SchemaStructure {
  /** Its extensions have the names of this API. */
  readonly schema: JsonObject;
  /** Takes out of an object what the schema does not know, in place, and tells the path of each. */
  prune(object: JsonObject, onUnknown: (path: string) => void): SchemaMismatch | undefined;
}

/** A value that is of no type that its place can have. */
export interface SchemaMismatch {
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * A message type of the API, in its two views.
 *
 * `fields` is the JSON view: by JSON key, the fields of inlined messages standing among the message's own.
 * `wireFields` is the protobuf view: as declared, an inlined message being one field with `inline` set.
 * Neither contains `apiVersion` and `kind`: those of a message with `typeMeta` are carried by the envelope on
 * the wire and stand beside the fields in JSON.
 */
export interface MessageType {
  readonly name: string;
  /** Package and name, for example `core.v1.Pod`. */
  readonly fullName: string;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly wireFields: readonly FieldDefinition[];
  readonly typeMeta: boolean;
  readonly structType: MapType;
  /** In JSON the message is a leaf value. */
  readonly scalar?: ScalarType;
  readonly description: string;
  /** The schema of everything beside `fields`; such a message has no wire form. */
  readonly structure?: SchemaStructure;
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

/** The way of an object of one version to the stored form of its kind and back; both change the object and lose nothing. */
export interface VersionConversion {
  toStorage(object: ApiObject): void;
  fromStorage(object: ApiObject): void;
  /** The names in the stored form of selectable fields that have another name in this one. */
  readonly storedFieldNames?: Readonly<Record<string, string>>;
}

/**
 * The names that parts of a kind's objects have for clients of the alias of its group, where these know other names than
 * the own ones. Names are changed in copies; what needs no change is shared with them.
 */
export interface AliasNames {
  /** An object with the names of the alias. */
  toAlias(object: JsonObject): JsonObject;
  /** The same for the wire, where fields have numbers in place of names: what holds names as values is changed alone. */
  toAliasOnWire(object: JsonObject): JsonObject;
  /** Gives an object, a configuration or a patch that a client sent the own names. */
  fromAlias(sent: JsonObject): JsonObject;
  /** A message or a path with the names of the alias. */
  textToAlias(text: string): string;
}

/** How objects that were stored under other rules come to be as they would be under these. */
interface StoredMigration {
  /** 8 bytes that stand for the rules; objects stored with them need nothing. */
  readonly tag: Buffer;
  /**
   * Changes an object that was stored under other rules, as so many bytes. Throws DefaultsTooLarge when it would become larger
   * than objects may be; it has none of its defaults then.
   */
  complete(object: ApiObject, bytes?: number): void;
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

/** One column of the Table form of a list. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 only in wide output. */
  readonly priority: number;
}

/** That dependents stay where a deletion does not say what becomes of them. */
interface OrphanRule {
  /** The warning for a client that omits it; '' for none. */
  readonly warning: string;
}

/** Who makes an object, as the API shows users; what is empty is absent. */
export interface Requester {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
}

/**
 * The rules of a kind that no option on a field can say: cross-field defaults, validation, transitions, reservations,
 * selectable fields, table cells. All functions are pure but for the object they are given to change.
 * `subresource` is '' for the main resource. `T` is the type of the kind, so that `service.spec?.ports` is checked: bodies,
 * patches and stored objects have the types of the definition before rules see them, and nulls are gone.
 *
 * A write takes these steps: `gatedFields` are dropped; `nameGroups`; `applyDefaults`; `prepareForCreate`, and `completeCreate` when name and uid are given, or
 * `prepareForUpdate`; mutating admission; `applyDefaults` again if that changed anything; `validateObject` for a
 * creation, `validateObjectUpdate` for an update; `warnings`; then the reservations of `reservationsFor` are committed with the object.
 */
export interface KindRules<T extends ApiObject = ApiObject> {
  /** metadata.generation is kept by the server: 1 at creation, one more on a change outside metadata and status. */
  readonly generation?: boolean;
  /** An update without resourceVersion is accepted; default true. */
  readonly unconditionalUpdate?: boolean;
  /** An update of an object that does not exist creates it; default false. */
  readonly createOnUpdate?: boolean;
  /** A delete answers with the deleted object instead of a Status; default false. */
  readonly returnsDeletedObject?: boolean;
  /** A deletion that does not say what becomes of dependents leaves them behind; default: they go too. */
  readonly orphansDependents?: OrphanRule;
  /** A failed precondition of a deletion names the resource, where other kinds name the kind; default false. */
  readonly namesResourceInConflicts?: boolean;
  /** No controller looks for dependents of its objects, so a deletion cannot say what becomes of them; default false. */
  readonly hasNoDependents?: boolean;
  /** The resource whose object of the same name and namespace goes in the same transaction when one of this kind does. */
  readonly removedWith?: { readonly group: string; readonly version: string; readonly resource: string };
  /** A creation through the resource itself may bring a status; default false. */
  readonly statusAtCreation?: boolean;
  /** Subresources through which a part of the specification is written: the whole is checked; default: none. */
  readonly specificationSubresources?: readonly string[];
  /** Paths below which neither fields that must be set nor closed sets of values are checked; default: none. */
  readonly uncheckedFields?: readonly string[];
  /** Checks metadata.name and returns messages; default: DNS subdomain. */
  readonly nameRule?: (name: string) => string[];
  /** Finalizers need not be qualified by a domain; default false. */
  readonly anyFinalizers?: boolean;
  /** The group under which findings about its objects are reported, which clients may know another one of; default: its own. */
  readonly findingsGroup?: string;
  /**
   * Groups that the client left out where an object names one, as the request had it: `group` is the name of the kind's own by
   * which the request was made. Comes before `applyDefaults`, which does the same for objects that no request brought.
   */
  nameGroups?(object: T, group: string): void;
  applyDefaults?(object: T): void;
  prepareForCreate?(object: T): void;
  /** Completes a new object from its name and uid; called after `prepareForCreate`. */
  completeCreate?(object: T): void;
  prepareForUpdate?(object: T, old: T, subresource: string): void;
  /** Writes into a new object who makes it, whatever the client said of that. */
  setRequester?(object: T, requester: Requester): void;
  /** The seconds that an object is given to end by itself when it is deleted; undefined, as by default: it has nothing to end. */
  gracePeriodSeconds?(object: T): number | bigint | undefined;
  /** Why an object can never be deleted; undefined, as by default: it can. */
  deletionRefusal?(object: T): string | undefined;
  /** Whether something beside the finalizers of its metadata holds an object that is being deleted. */
  isHeld?(object: T): boolean;
  /** Changes an object at its first deletion, beside its deletion time; `now` is in ms since the epoch. */
  prepareForDelete?(object: T, now: number): void;
  /** Changes an object that is evicted and not removed at once; `now` is in ms since the epoch. */
  prepareForEviction?(object: T, now: number): void;
  /**
   * Paths that a write through a subresource cannot set, and so does not manage. Through `status` these come on top of
   * everything outside metadata and status; default: none.
   */
  resetFields?(subresource: string, message: MessageType): readonly (readonly string[])[];
  /** Errors at creation and after every update. */
  validate?(object: T): FieldError[];
  /** Errors at creation only. */
  validateCreate?(object: T): FieldError[];
  validateUpdate?(object: T, old: T, subresource: string): FieldError[];
  /** Checks the result of an apply besides, before its defaults are filled in. */
  validateApplied?(object: T, subresource: string): FieldError[];
  /** Fields that are dropped before anything else looks at an object; default: none. */
  readonly gatedFields?: readonly GatedFields[];
  /** Rules that depend on feature gates; a registry puts those that hold behind the others of their names. */
  readonly gatedRules?: readonly GatedRules<T>[];
  /**
   * Warnings about an object that is accepted: a field path, and what is wrong with its value. `old` is undefined for
   * a creation. Called for writes to the resource itself alone.
   */
  warnings?(object: T, old: T | undefined): string[];
  /** The storage keys of the unique things that the object holds, without duplicates. */
  reservationsFor?(object: T): string[];
  /** Values of the field selectors other than metadata.name and metadata.namespace; every name is present, absent values are ''. */
  selectableFields?(object: T): Record<string, string>;
  /** The keys of `selectableFields`, metadata.name and metadata.namespace not among them. */
  readonly selectableFieldNames?: readonly string[];
  /** Default: Name and Created At. */
  readonly columns?: readonly TableColumn[];
  /**
   * One value a column; `now` is in ms since the epoch. `work` is what the rows of a Table may take together, in visits of
   * values, and is counted down; columns that need more are null.
   */
  cells?(object: T, now: number, work?: { left: number }): JsonValue[];
  /**
   * Only where this version is not the stored one, and only where more than apiVersion differs: rules see the version's
   * own form, storage the stored one.
   */
  readonly conversion?: VersionConversion;
  /** Only for kinds whose objects hold names that clients of the group's alias do not know. */
  readonly aliasNames?: AliasNames;
  /**
   * Only for kinds that make the server ask others, or evaluate what others wrote: what of an object its author says. The stored bytes
   * have the apiVersion, with the group name or alias of the request that wrote this last: its author is asked by the names that go
   * with it.
   */
  authored?(object: T): JsonValue;
  /** Only for kinds whose rules change while their objects lie in the store. */
  readonly migration?: StoredMigration;
}

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

/** A served group with its versions, the preferred one first. */
export interface GroupDefinition {
  readonly group: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}

/** All that is served, by name. */
export interface TypeRegistry {
  /** In the order of `groups()`, then by name. */
  readonly resources: readonly ResourceDefinition[];
  /** Accepts canonical group names only, see `canonicalGroup`. */
  resource(group: string, version: string, plural: string): ResourceDefinition | undefined;
  kind(group: string, version: string, kind: string): ResourceDefinition | undefined;
  /** The core group first, then in the order of `/apis`. */
  groups(): readonly GroupDefinition[];
  /** A message by its full name, for example `meta.v1.DeleteOptions`. */
  message(fullName: string): MessageType | undefined;
  /** Turns an alias of a group into its name in this API; other names come back as they are. */
  canonicalGroup(group: string): string;
}
