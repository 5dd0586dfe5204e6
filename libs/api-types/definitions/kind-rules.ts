import type { ApiObject, FieldError, JsonObject, JsonValue } from '@binnacle/api-objects';
import type { GatedFields, GatedRules } from './gated-rules.ts';
import type { MessageType } from './message-type.ts';

/**
 * The rules of a kind that field options cannot express: cross-field defaults, validation, transitions, reservations, selectable
 * fields, table cells. All functions are pure except for modifications of their object. `subresource` is '' for the main
 * resource. `T` is the type of the kind, so that `service.spec?.ports` is type-checked: bodies, patches and stored objects have
 * been checked against the definition's types, and nulls have been removed.
 *
 * A write runs these steps: drop `gatedFields`; `nameGroups`; `applyDefaults`; `prepareForCreate`, and `completeCreate` once name
 * and UID are set, or `prepareForUpdate`; mutating admission; `applyDefaults` again if admission changed the object;
 * `validateObject` for a create, `validateObjectUpdate` for an update; `warnings`. The reservations of `reservationsFor` are
 * committed with the object.
 */
export interface KindRules<T extends ApiObject = ApiObject> {
  /** Whether the server manages metadata.generation: 1 at creation, incremented by changes outside metadata and status. */
  readonly generation?: boolean;
  /** Whether an update without resourceVersion is accepted; default: true. */
  readonly unconditionalUpdate?: boolean;
  /** Whether an update of a missing object creates it; default: false. */
  readonly createOnUpdate?: boolean;
  /** Whether a delete returns the deleted object instead of a Status; default: false. */
  readonly returnsDeletedObject?: boolean;
  /** Whether a delete without a propagation policy orphans dependents; default: it deletes them too. */
  readonly orphansDependents?: OrphanRule;
  /** Whether a failed precondition of a delete names the resource instead of the kind; default: false. */
  readonly namesResourceInConflicts?: boolean;
  /** Whether objects never have dependents, so that a delete cannot set a propagation policy; default: false. */
  readonly hasNoDependents?: boolean;
  /** The resource whose object with the same name and namespace is deleted in the same transaction. */
  readonly removedWith?: { readonly group: string; readonly version: string; readonly resource: string };
  /** Whether a create through the main resource may set a status; default: false. */
  readonly statusAtCreation?: boolean;
  /** Subresources that write a part of the spec, after which the whole object is validated; default: none. */
  readonly specificationSubresources?: readonly string[];
  /** Paths below which neither required fields nor closed sets of values are validated; default: none. */
  readonly uncheckedFields?: readonly string[];
  /** Validates metadata.name and returns messages; default: DNS subdomain. */
  readonly nameRule?: (name: string) => string[];
  /** Whether finalizers without a domain are allowed; default: false. */
  readonly anyFinalizers?: boolean;
  /** The group in errors about objects of the kind, for which clients may know an alias; default: the kind's group. */
  readonly findingsGroup?: string;
  /**
   * Sets groups that the client omitted in references, as the request uses them: `group` is the alias of the kind's own group in
   * the request. Runs before `applyDefaults`, which sets them for objects that do not come from a request.
   */
  nameGroups?(object: T, group: string): void;
  applyDefaults?(object: T): void;
  prepareForCreate?(object: T): void;
  /** Completes a new object that has a name and UID; runs after `prepareForCreate`. */
  completeCreate?(object: T): void;
  prepareForUpdate?(object: T, old: T, subresource: string): void;
  /** Sets the requesting user of a new object, overriding the client's values. */
  setRequester?(object: T, requester: Requester): void;
  /** Returns the seconds within which a deleted object should terminate by itself; undefined, the default: none. */
  gracePeriodSeconds?(object: T): number | bigint | undefined;
  /** Returns the reason why an object must not be deleted; undefined, the default: it may be deleted. */
  deletionRefusal?(object: T): string | undefined;
  /** Whether something besides finalizers in metadata keeps an object that is being deleted. */
  isHeld?(object: T): boolean;
  /** Modifies an object at its first deletion, besides its deletion timestamp; `now` is in ms since 1970. */
  prepareForDelete?(object: T, now: number): void;
  /** Modifies an object that is evicted but not removed immediately; `now` is in ms since 1970. */
  prepareForEviction?(object: T, now: number): void;
  /**
   * Paths that a write through a subresource cannot set and therefore does not manage. For `status` they are added to everything
   * outside metadata and status; default: none.
   */
  resetFields?(subresource: string, message: MessageType): readonly (readonly string[])[];
  /** Validates an object on create and after every update. */
  validate?(object: T): FieldError[];
  /** Validates an object on create only. */
  validateCreate?(object: T): FieldError[];
  validateUpdate?(object: T, old: T, subresource: string): FieldError[];
  /** Additionally validates the result of an apply, before its defaults are set. */
  validateApplied?(object: T, subresource: string): FieldError[];
  /** Fields that are dropped before an object is processed; default: none. */
  readonly gatedFields?: readonly GatedFields[];
  /** Rules that depend on feature gates; a registry appends the enabled ones to the other rules. */
  readonly gatedRules?: readonly GatedRules<T>[];
  /**
   * Returns warnings about an accepted object: a field path, and the problem of its value. `old` is undefined for a create. Only
   * called for writes to the main resource.
   */
  warnings?(object: T, old: T | undefined): string[];
  /** Returns the storage keys of the reservations of the object's unique values, without duplicates. */
  reservationsFor?(object: T): string[];
  /**
   * Returns the values of the field selectors other than metadata.name and metadata.namespace; contains every name, '' for absent
   * values.
   */
  selectableFields?(object: T): Record<string, string>;
  /** The keys of `selectableFields`, without metadata.name and metadata.namespace. */
  readonly selectableFieldNames?: readonly string[];
  /** Default: Name and Created At. */
  readonly columns?: readonly TableColumn[];
  /**
   * Returns one value per column; `now` is in ms since 1970. `work` is the remaining number of value visits for all rows of a
   * Table, which is reduced; columns that need more are null.
   */
  cells?(object: T, now: number, work?: { left: number }): JsonValue[];
  /**
   * Only for a version other than the stored one that differs in more than apiVersion: rules use the version's own form, storage
   * the stored form.
   */
  readonly conversion?: VersionConversion;
  /** Only for kinds whose objects contain names that clients of the group's alias do not know. */
  readonly aliasNames?: AliasNames;
  /**
   * Only for kinds that make the server call others, or evaluate expressions: returns the part of an object that its author
   * wrote. The stored bytes have the apiVersion, with the group name or alias, of the request that last changed this part:
   * webhooks of the author are called with the corresponding names.
   */
  authored?(object: T): JsonValue;
  /** Only for kinds whose rules can change while objects are stored. */
  readonly migration?: StoredMigration;
}

/** One column of the Table of a list. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0: always shown; 1: shown in wide output only. */
  readonly priority: number;
}

/** The rule that dependents are orphaned by default. */
interface OrphanRule {
  /** The warning for a client that omits the propagation policy; '' for none. */
  readonly warning: string;
}

/** The user that creates an object, as the API represents users; empty values are absent. */
export interface Requester {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
}

/** Converts objects of one version to the stored form and back, without loss; both functions modify the object. */
export interface VersionConversion {
  toStorage(object: ApiObject): void;
  fromStorage(object: ApiObject): void;
  /** Names in the stored form of selectable fields with different names in this version. */
  readonly storedFieldNames?: Readonly<Record<string, string>>;
}

/**
 * Converts names in a kind's objects between the canonical names and those that clients of the group's alias use. The functions
 * change copies, which share unchanged parts.
 */
export interface AliasNames {
  /** Returns an object with the names of the alias. */
  toAlias(object: JsonObject): JsonObject;
  /**
   * Returns an object with the names of the alias for the wire form, where fields have numbers: only names in values are
   * converted.
   */
  toAliasOnWire(object: JsonObject): JsonObject;
  /** Returns a received object, configuration or patch with the canonical names. */
  fromAlias(sent: JsonObject): JsonObject;
  /** Returns a message or path with the names of the alias. */
  textToAlias(text: string): string;
}

/** Updates objects that were stored under other rules. */
interface StoredMigration {
  /** 8 bytes that identify the rules; objects stored with this tag need no migration. */
  readonly tag: Buffer;
  /**
   * Updates an object that was stored under other rules with the given number of bytes. Throws DefaultsTooLarge if its defaults
   * would make it too large; it then has none of them.
   */
  complete(object: ApiObject, bytes?: number): void;
}
