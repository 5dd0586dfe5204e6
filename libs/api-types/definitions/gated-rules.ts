import type { ApiGateName, ApiObject, FieldError, JsonObject, JsonValue } from '@binnacle/api-objects';

/** Fields that objects have only while a feature gate is on, or while the stored object uses them already. */
export interface GatedFields {
  /** Absent: the fields are never kept, whatever gates are on. */
  readonly gate?: ApiGateName;
  /**
   * Where they stand: `spec.containers[].resources.claims`; `metadata.annotations{a/}` is every key of that map that
   * begins with `a/`.
   */
  readonly paths: readonly string[];
  /** Values of the stored object that say that it uses the feature; default: `paths`. An empty list says nothing. */
  readonly inUse?: readonly string[];
  /** Whether the object that holds a field goes with it, unless the field is empty; default false. */
  readonly removesParent?: true;
  /** The value that the fields get where they are set, which is no use of the feature; default: the fields go. */
  readonly resetTo?: JsonValue;
}

/** The fields of a kind whose features are switched off. */
export interface DisabledFields {
  /** Whether a drop from the object may change it. */
  areIn(object: JsonObject): boolean;
  /** Takes them out of an object, but for features that `old`, the stored object, uses. Changes `object`. */
  drop(object: ApiObject, old: ApiObject | undefined): void;
}

/** A setting of the server that rules depend on as they do on a feature gate. */
type RuleSetting = 'allowPrivileged';

/** Rules that hold only while a feature gate, or a setting, is on, or only while it is off. */
export interface GatedRules<T extends ApiObject> {
  readonly gate: ApiGateName | RuleSetting;
  readonly on?: ConditionalRules<T>;
  readonly off?: ConditionalRules<T>;
}

/** Rules of a kind that come after its others, each like the one of that name in `KindRules`. */
export interface ConditionalRules<T extends ApiObject> {
  /** Takes out of an object what no path can name; `old` is the stored object, undefined for a creation. */
  dropFields?(object: T, old: T | undefined): void;
  applyDefaults?(object: T): void;
  prepareForCreate?(object: T): void;
  prepareForUpdate?(object: T, old: T, subresource: string): void;
  prepareForEviction?(object: T, now: number): void;
  validateCreate?(object: T): FieldError[];
  validateUpdate?(object: T, old: T, subresource: string): FieldError[];
}
