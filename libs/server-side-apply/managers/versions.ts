import type { JsonValue } from '@binnacle/api-objects';
import type { FieldSet } from '../field-sets/field-set.ts';
import type { TypedSchema } from '../schemas/typed-schema.ts';

/** One version of a kind as its managers see it. */
interface VersionView {
  readonly schema: TypedSchema;
  /** Fields that writes of this version cannot set (status on the main resource): such writes manage none of them. */
  readonly resetFields?: FieldSet | undefined;
  /** The version by its own name, where `apiVersion` may have an alias of its group; default: `apiVersion`. */
  readonly version?: string | undefined;
}

/** The versions of a kind: sets are recorded in the version in which their manager wrote. */
export interface ServedVersions {
  /** undefined for a version that is no longer known: managers recorded in it are dropped. */
  view(apiVersion: string): VersionView | undefined;
}

/** The versions of a kind whose objects are converted at once. */
export interface Versions extends ServedVersions {
  /** The object in another known version; the argument is not changed. */
  convert(object: JsonValue, from: string, to: string): JsonValue;
}

/** An object that is needed in another known version; the object is not to be changed. */
export interface WantedConversion {
  readonly object: JsonValue;
  readonly from: string;
  readonly to: string;
}

/**
 * Work that may need objects in other versions: it yields each of them, and goes on with what the object is there. So the
 * work itself is the same whether conversions are made at once or by a server elsewhere. Where it yields nothing, others
 * may go on: its steps take time in proportion to an object, or to the fields of one manager.
 */
export type Converting<T> = Generator<WantedConversion | undefined, T, JsonValue>;

/** Does work with conversions that are made at once. */
export function convertedAtOnce<T>(work: Converting<T>, { convert }: Pick<Versions, 'convert'>): T {
  let step = work.next();
  while (step.done !== true) {
    const wanted = step.value;
    step = work.next(wanted === undefined ? null : convert(wanted.object, wanted.from, wanted.to));
  }
  return step.value;
}

/** The pauses of work on managed fields. */
interface ConvertingRuntime {
  convert(wanted: WantedConversion): Promise<JsonValue>;
  /** Lets others go on; undefined where the work need not wait. */
  yield(): Promise<void> | undefined;
}

/**
 * Does work with conversions and yields that take their time; rejects with what a conversion rejects with. Work that waits for
 * nothing is done when this returns.
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

/** The own name of a version, which `apiVersion` may name with an alias of its group. */
export function versionName(versions: ServedVersions, apiVersion: string): string {
  return versions.view(apiVersion)?.version ?? apiVersion;
}

/** The view of a version that the caller knows to exist. */
export function getView(versions: ServedVersions, apiVersion: string): VersionView {
  const view = versions.view(apiVersion);
  if (view === undefined) throw new Error(`the kind has no version ${apiVersion}`);
  return view;
}
