import { understood } from '@binnacle/api-names';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  readJson,
  setOwnProperty,
} from '@binnacle/api-objects';
import { difference } from './field-sets/algebra.ts';
import type { FieldSet } from './field-sets/field-set.ts';
import { compareTexts } from './field-sets/value-order.ts';
import { type ServedVersions, versionName } from './managers/versions.ts';
import type { TypedSchema } from './schemas/typed-schema.ts';
import { compare } from './values/compare.ts';
import { fieldSetFromValue } from './values/field-set-from-value.ts';
import { validate } from './values/validate.ts';

/** The field manager of kubectl, whose server-side applies continue from its client-side applies. */
export const clientSideApplier = 'kubectl';

/** The annotation in which client-side apply stores its last configuration. */
const annotationNames = understood.annotations.lastApplied;

/** Converts configurations between the names in the annotation, which are those of the client, and the names of the schema. */
export interface LastAppliedNames {
  read(recorded: JsonObject): JsonObject;
  write(applied: JsonObject): JsonObject;
}

const sameNames: LastAppliedNames = { read: recorded => recorded, write: applied => applied };

/** Maximum total size of an object's annotations, in bytes. */
const annotationsLimit = 256 * 1024;

/** The kind of a recorded configuration. */
interface RecordedKind {
  readonly schema: TypedSchema;
  readonly apiVersion: string;
  readonly versions?: ServedVersions;
  readonly lastApplied?: LastAppliedNames;
}

/**
 * Returns the fields that client-side apply set and no later write changed: the applying manager may take them from any other
 * manager without a conflict. Undefined if the object has no such annotation, or one of another version or with invalid content.
 */
export function unchangedSinceLastApplied(live: JsonObject, kind: RecordedKind): FieldSet | undefined {
  const { schema, lastApplied: { read } = sameNames } = kind;
  const record = findRecord(live);
  const recorded = record === undefined ? undefined : parseObject(record.text);
  if (recorded === undefined || !isOfVersion(recorded, kind)) return undefined;
  const lastApplied = read(recorded);
  if (validate(lastApplied, schema).length > 0) return undefined;
  const { added, modified, removed } = compare(lastApplied, live, schema);
  return [modified, added, removed].reduce(difference, fieldSetFromValue(lastApplied, schema));
}

/**
 * Updates an existing last-applied annotation of an object to the configuration applied now, so that client-side and server-side
 * apply can alternate. Removes the annotation if it would make the annotations too large. Returns the object itself if nothing
 * changes; otherwise unchanged parts are shared.
 */
export function withLastApplied(
  object: JsonObject,
  applied: JsonObject,
  { write }: LastAppliedNames = sameNames,
): JsonObject {
  const record = findRecord(object);
  if (record === undefined) return object;
  const text = `${JSON.stringify(sorted(withoutRecord(write(applied))))}\n`;
  if (text === record.text) return object;
  const annotations = { ...record.annotations, [record.name]: text };
  if (measureAnnotations(annotations) > annotationsLimit) delete annotations[record.name];
  const metadata = { ...(object.metadata as JsonObject), annotations }; // The annotation was found in it.
  return { ...object, metadata };
}

interface LastAppliedRecord {
  readonly name: string;
  readonly text: string;
  readonly annotations: JsonObject;
}

/** Whether a configuration has a version; it may name the group by an alias. */
export function isOfVersion(
  applied: JsonObject,
  { apiVersion, versions }: Pick<RecordedKind, 'apiVersion' | 'versions'>,
): boolean {
  const sent = ownProperty(applied, 'apiVersion');
  if (typeof sent !== 'string' || sent === apiVersion || versions === undefined) return sent === apiVersion;
  return versionName(versions, sent) === versionName(versions, apiVersion);
}

function findRecord(object: JsonObject): LastAppliedRecord | undefined {
  const annotations = findAnnotations(object);
  if (annotations === undefined) return undefined;
  for (const name of annotationNames) {
    const text = ownProperty(annotations, name);
    if (typeof text === 'string' && text !== '') return { name, text, annotations };
  }
  return undefined;
}

function findAnnotations(object: JsonObject): JsonObject | undefined {
  const metadata = ownProperty(object, 'metadata');
  const annotations = isJsonObject(metadata) ? ownProperty(metadata, 'annotations') : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = readJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Any user can write the annotation; invalid content is ignored.
    return undefined;
  }
}

function withoutRecord(applied: JsonObject): JsonObject {
  const annotations = findAnnotations(applied);
  if (annotations === undefined || !annotationNames.some(name => Object.hasOwn(annotations, name)))
    return applied;
  const rest = { ...annotations };
  for (const name of annotationNames) delete rest[name];
  const metadata = { ...(applied.metadata as JsonObject), annotations: rest }; // It has annotations.
  return { ...applied, metadata };
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort(compareTexts))
    setOwnProperty(result, name, sorted(value[name]!));
  return result;
}

function measureAnnotations(annotations: JsonObject): number {
  const texts = Object.entries(annotations).flat();
  return texts.reduce<number>((size, text) => size + Buffer.byteLength(String(text)), 0);
}
