import type { JsonValue } from '@binnacle/api-objects';
import type { FieldSet } from '../field-sets/field-set.ts';
import type { TypedSchema } from '../schemas/typed-schema.ts';

/** What one version of a kind looks like to its owners. */
export interface VersionView {
  readonly schema: TypedSchema;
  /** Fields that writes of this version cannot set (status on the main resource): such writes manage none of them. */
  readonly resetFields?: FieldSet | undefined;
}

/** The versions of a kind: sets are recorded in the version in which their owner wrote. */
export interface Versions {
  /** undefined for a version that is no longer known: owners recorded in it are dropped. */
  view(apiVersion: string): VersionView | undefined;
  /** The object in another known version; the argument is not changed. */
  convert(object: JsonValue, from: string, to: string): JsonValue;
}

/** The versions of a kind that has one. */
export function singleVersion(apiVersion: string, view: VersionView): Versions {
  return {
    view: wanted => (wanted === apiVersion ? view : undefined),
    convert: object => object,
  };
}

/** An object with the version that it is in. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly object: JsonValue;
  readonly schema: TypedSchema;
}

/** An object in another version, or undefined where that version is not known. */
export function inVersion(
  versioned: VersionedObject,
  apiVersion: string,
  versions: Versions,
): VersionedObject | undefined {
  if (versioned.apiVersion === apiVersion) return versioned;
  const view = versions.view(apiVersion);
  if (view === undefined) return undefined;
  const object = versions.convert(versioned.object, versioned.apiVersion, apiVersion);
  return { apiVersion, object, schema: view.schema };
}

/** The view of a version that the caller knows to exist. */
export function viewOf(versions: Versions, apiVersion: string): VersionView {
  const view = versions.view(apiVersion);
  if (view === undefined) throw new Error(`the kind has no version ${apiVersion}`);
  return view;
}
