import type { ApiGateName, ApiObject, FieldError, JsonObject, JsonValue } from '@binnacle/api-objects';

/** Fields that are dropped unless a feature gate is enabled or the stored object already uses them. */
export interface GatedFields {
  /** Absent: the fields are always dropped. */
  readonly gate?: ApiGateName;
  /**
   * Paths of the fields: `spec.containers[].resources.claims`; `metadata.annotations{a/}` is every key of the map that starts
   * with `a/`.
   */
  readonly paths: readonly string[];
  /** Paths whose presence in the stored object means that it uses the feature; default: `paths`. Empty lists do not count. */
  readonly inUse?: readonly string[];
  /** Whether the parent object is removed too, unless the field is empty; default: false. */
  readonly removesParent?: true;
  /** The value to which set fields are reset, which does not count as use of the feature; default: the fields are removed. */
  readonly resetTo?: JsonValue;
}

/** The fields of a kind whose features are disabled. */
export interface DisabledFields {
  /** Whether `drop` may modify the object. */
  areIn(object: JsonObject): boolean;
  /** Removes the fields from an object, unless `old`, the stored object, uses the feature. Modifies `object`. */
  drop(object: ApiObject, old: ApiObject | undefined): void;
}

/** A server setting on which rules depend like on a feature gate. */
type RuleSetting = 'allowPrivileged';

/** Rules that apply only while a feature gate or setting is enabled, or only while it is disabled. */
export interface GatedRules<T extends ApiObject> {
  readonly gate: ApiGateName | RuleSetting;
  readonly on?: ConditionalRules<T>;
  readonly off?: ConditionalRules<T>;
}

/** Rules that run after the other rules of a kind, each like the one of the same name in `KindRules`. */
export interface ConditionalRules<T extends ApiObject> {
  /** Removes fields that a path cannot describe; `old` is the stored object, undefined on create. */
  dropFields?(object: T, old: T | undefined): void;
  applyDefaults?(object: T): void;
  prepareForCreate?(object: T): void;
  prepareForUpdate?(object: T, old: T, subresource: string): void;
  prepareForEviction?(object: T, now: number): void;
  validateCreate?(object: T): FieldError[];
  validateUpdate?(object: T, old: T, subresource: string): FieldError[];
}
