import type { ApiObject, FieldError, JsonObject, JsonValue } from '@binnacle/api-objects';
import type { GatedFields, GatedRules } from './gated-rules.ts';
import type { MessageType } from './message-type.ts';

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
