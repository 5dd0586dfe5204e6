import type { JsonValue } from '@binnacle/api-objects';
import type { FieldSet } from '../field-sets/field-set.ts';
import type { TypedSchema } from '../schemas/typed-schema.ts';

/** One version of a kind for managed fields. */
interface VersionView {
  readonly schema: TypedSchema;
  /** Fields that writes of this version cannot set (status on the main resource) and therefore do not manage. */
  readonly resetFields?: FieldSet | undefined;
  /** The canonical name of the version if `apiVersion` may use an alias of its group; default: `apiVersion`. */
  readonly version?: string | undefined;
}

/** The versions of a kind: managed fields are recorded in the version of their manager's write. */
export interface ServedVersions {
  /** Undefined for an unknown version: managers recorded in it are dropped. */
  view(apiVersion: string): VersionView | undefined;
}

/** The versions of a kind with synchronous conversion. */
export interface Versions extends ServedVersions {
  /** Converts an object to another known version without modifying the argument. */
  convert(object: JsonValue, from: string, to: string): JsonValue;
}

/** A request to convert an object to another known version; the object must not be modified. */
export interface WantedConversion {
  readonly object: JsonValue;
  readonly from: string;
  readonly to: string;
}

/**
 * A computation that may need objects in other versions: it yields each request and resumes with the converted object, so that it
 * works with synchronous and asynchronous conversions. It yields undefined where the caller may run other work; a step takes time
 * proportional to an object, or to the fields of one manager.
 */
export type Converting<T> = Generator<WantedConversion | undefined, T, JsonValue>;

/** Runs a computation with synchronous conversions. */
export function convertedAtOnce<T>(work: Converting<T>, { convert }: Pick<Versions, 'convert'>): T {
  let step = work.next();
  while (step.done !== true) {
    const wanted = step.value;
    step = work.next(wanted === undefined ? null : convert(wanted.object, wanted.from, wanted.to));
  }
  return step.value;
}

/** Conversions and pauses of an asynchronous computation. */
interface ConvertingRuntime {
  convert(wanted: WantedConversion): Promise<JsonValue>;
  /** Lets other work run; undefined if there is no need to wait. */
  yield(): Promise<void> | undefined;
}

/**
 * Runs a computation with asynchronous conversions and yields; rejects if a conversion rejects. A computation without waits is
 * complete on return.
 */
export function convertedInTime<T>(work: Converting<T>, runtime: ConvertingRuntime): T | Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    const waiting = step.value === undefined ? runtime.yield() : runtime.convert(step.value);
    if (waiting !== undefined) return continuedInTime(work, waiting, runtime);
    step = work.next(null);
  }
  return step.value;
}

async function continuedInTime<T>(
  work: Converting<T>,
  waiting: Promise<JsonValue> | Promise<void>,
  runtime: ConvertingRuntime,
): Promise<T> {
  let step = work.next((await waiting) ?? null);
  while (step.done !== true) {
    const next = step.value === undefined ? await runtime.yield() : await runtime.convert(step.value);
    step = work.next(next ?? null);
  }
  return step.value;
}

/** Returns the versions of a kind with a single version. */
export function singleVersion(apiVersion: string, view: VersionView): Versions {
  return {
    view: wanted => (wanted === apiVersion ? view : undefined),
    convert: object => object,
  };
}

/** An object with its version. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly object: JsonValue;
  readonly schema: TypedSchema;
}

/** Returns an object in another version; undefined if that version is unknown. */
export function* inVersion(
  versioned: VersionedObject,
  apiVersion: string,
  versions: ServedVersions,
): Converting<VersionedObject | undefined> {
  if (versioned.apiVersion === apiVersion) return versioned;
  const view = versions.view(apiVersion);
  if (view === undefined) return undefined;
  if ((view.version ?? apiVersion) === versionName(versions, versioned.apiVersion))
    return { ...versioned, apiVersion };
  const object = yield { object: versioned.object, from: versioned.apiVersion, to: apiVersion };
  return { apiVersion, object, schema: view.schema };
}

/** Returns the canonical name of a version, which `apiVersion` may name by an alias of its group. */
export function versionName(versions: ServedVersions, apiVersion: string): string {
  return versions.view(apiVersion)?.version ?? apiVersion;
}

/** Returns the view of a version that must exist. */
export function getView(versions: ServedVersions, apiVersion: string): VersionView {
  const view = versions.view(apiVersion);
  if (view === undefined) throw new Error(`the kind has no version ${apiVersion}`);
  return view;
}
